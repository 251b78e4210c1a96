//! Guards that would otherwise be prose: what may know what, and how the sources look (spec: architecture).

#[path = "tidy/borders.rs"]
mod borders;
#[path = "tidy/dependencies.rs"]
mod dependencies;
#[path = "tidy/looks.rs"]
mod looks;
#[path = "tidy/sources.rs"]
mod sources;
