//! Tests that need the one writer's own connection, or a schema of another version.

mod faults;
mod full;
mod migrations;
mod plans;
mod pragmas;
