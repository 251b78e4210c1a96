//! Where a data directory really lies: on the disk of another machine, or copied from elsewhere. Both are told in the log and forbidden
//! to nobody: a folder may be moved on purpose, and a single machine may well keep its folder on a server.

use std::{io, path::Path};

use serde::{Deserialize, Serialize};

/// Which machine used the directory last, and under which path. A copy of the directory carries it along.
const HOME_FILE: &str = "signalbox.home";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Home {
    machine: String,
    path: String,
}

/// What the operator should know about the directory, one sentence each. Notes that it is used here from now on.
pub fn warnings(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(name) = foreign_disk(dir) {
        found.push(format!(
            "The data directory {} lies on a file system of another machine ({name}). Two machines that open it there at once are not \
             kept apart, and a lost connection may lose commits. Keep it on a local disk.",
            dir.display()
        ));
    }
    let here = Home { machine: machine(), path: whole(dir) };
    match last_home(dir) {
        Some(last) if last != here => found.push(format!(
            "The data directory {} was used last as {} on {}. If it is a copy and the original is still in use, end one of the two: \
             both work on the same requests. What each finds done at the remotes it does not do again, but its history shows only its own part.",
            dir.display(),
            last.path,
            last.machine
        )),
        Some(_) => return found,
        None => {}
    }
    if let Err(error) = note(dir, &here) {
        found.push(format!(
            "It could not be noted in {} that the directory is used here ({error}), so that a copy of it would not be noticed.",
            dir.join(HOME_FILE).display()
        ));
    }
    found
}

fn last_home(dir: &Path) -> Option<Home> {
    serde_json::from_slice(&std::fs::read(dir.join(HOME_FILE)).ok()?).ok()
}

fn note(dir: &Path, home: &Home) -> io::Result<()> {
    let part = dir.join(format!("{HOME_FILE}.part"));
    std::fs::write(&part, serde_json::to_vec(home)?)?;
    std::fs::rename(part, dir.join(HOME_FILE))
}

fn whole(dir: &Path) -> String {
    dir.canonicalize().unwrap_or_else(|_| dir.into()).display().to_string()
}

#[cfg(unix)]
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".into())
}

#[cfg(target_os = "linux")]
fn foreign_disk(dir: &Path) -> Option<&'static str> {
    // The kernel's numbers have 32 bits; the field is wider or narrower by platform.
    rustix::fs::statfs(dir).ok().and_then(|disk| network_name(disk.f_type as u32))
}

#[cfg(not(target_os = "linux"))]
fn foreign_disk(_: &Path) -> Option<&'static str> {
    None
}

/// The name of a file system that keeps its files on another machine, by the number that `statfs(2)` tells
/// (linux/magic.h and the sources of each). None for a local one, and for FUSE, which may be either.
#[must_use]
pub fn network_name(magic: u32) -> Option<&'static str> {
    Some(match magic {
        0x0000_6969 => "NFS",
        0x0000_517B => "SMB",
        0xFF53_4D42 => "CIFS",
        0xFE53_4D42 => "SMB2",
        0x0102_1997 => "9P",
        0x5346_414F | 0x6B41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x0000_564C => "NCP",
        0x00C3_6400 => "Ceph",
        0x0BD0_0BD0 => "Lustre",
        0x4750_4653 => "GPFS",
        0x0116_1970 => "GFS2",
        0x7461_636F => "OCFS2",
        0x1983_0326 => "BeeGFS",
        _ => return None,
    })
}
