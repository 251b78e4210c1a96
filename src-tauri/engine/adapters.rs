//! The other sides of the ports. Adapters report facts and decide nothing.
