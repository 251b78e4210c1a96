//! Where a data directory lies: told at the start, where it is not the operator's own disk or not the place it was.

mod process;

use std::{fs, path::Path};

use process::Place;
use signalboxd::folder::{network_name, warnings};

#[test]
fn file_systems_of_other_machines_are_known_by_their_numbers() {
    let network = [
        (0x6969, "NFS"),
        (0x517B, "SMB"),
        (0xFF53_4D42, "CIFS"),
        (0xFE53_4D42, "SMB2"),
        (0x0102_1997, "9P"),
        (0x5346_414F, "AFS"),
        (0x00C3_6400, "Ceph"),
        (0x0BD0_0BD0, "Lustre"),
    ];
    for (magic, name) in network {
        assert_eq!(network_name(magic), Some(name), "{magic:#x}");
    }
    // ext4, btrfs, XFS, tmpfs, overlayfs, ZFS, F2FS, APFS by FUSE
    for local in [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010, 0x6573_5546] {
        assert_eq!(network_name(local), None, "{local:#x}");
    }
}

#[test]
fn a_folder_in_its_place_warns_of_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    for start in ["the first", "the second"] {
        let about_home = warnings(dir.path()).into_iter().filter(|text| text.contains("was used last"));
        assert_eq!(about_home.collect::<Vec<_>>(), [""; 0], "{start} start");
    }
}

#[test]
fn a_folder_that_cannot_be_marked_is_told() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(dir.path().join("signalbox.home/in the way")).expect("a directory");
    let told = warnings(dir.path()).join("\n");
    assert!(told.contains("could not be noted in") && told.contains("signalbox.home"), "{told}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &name);
        } else {
            fs::copy(&path, name).expect("a copy");
        }
    }
}

/// The data directory is copied while the program runs; the copy starts, and says what it is.
#[test]
fn a_copy_of_the_folder_says_that_it_is_one() {
    let place = Place::new();
    let first = place.serve(&[]);
    let second = Place::new();
    copy(place.dir.path(), second.dir.path());
    let running = second.serve(&[]);
    assert_eq!(running.get("/healthz", "").0, 200);
    drop(running);
    let log = second.log();
    assert!(log.contains("was used last as") && log.contains(&place.data_dir()), "{log}");
    assert!(log.contains("end one of the two"), "{log}");
    assert!(!place.log().contains("was used last as"), "the original is in its place");
    drop(first);
    // It is known here now.
    drop(second.serve(&[]));
    assert!(!second.log().contains("was used last as"), "{}", second.log());
}
