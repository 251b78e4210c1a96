//! What a start leaves behind, and why it may refuse.

use signalbox_sandbox::{Options, start};

use crate::support::{Practice, brisk};

#[tokio::test]
async fn the_settings_name_secrets_by_file_only() {
    let practice = Practice::begin().await;
    let text = std::fs::read_to_string(&practice.sandbox.config_path).unwrap();
    assert!(text.contains(&practice.sandbox.gitlab_url) && text.contains(&practice.sandbox.desk_url));
    assert!(!text.contains("{{"), "a place was left open");
    let ready = practice.sandbox.ready_json();
    assert_eq!(ready["ready"], true);
    for secret in [&practice.sandbox.bot_token, &practice.sandbox.desk_token, &practice.sandbox.approval_secret] {
        assert!(!text.contains(secret.as_str()));
        assert!(ready.to_string().contains(secret.as_str()));
    }
    for name in ["gitlab-bot", "gitlab-reviewer-a", "approval-token", "approval-secret", "deploy-secret"] {
        let path = practice.path().join("secrets").join(name);
        assert!(text.contains(path.to_str().unwrap()), "{name}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
    for name in ["service-quota", "feature-flag", "firewall-rule"] {
        assert!(practice.path().join(format!("kinds/{name}.yaml")).exists());
    }
}

#[tokio::test]
async fn what_a_person_edited_is_kept() {
    let practice = Practice::begin().await;
    let kind = practice.path().join("kinds/service-quota.yaml");
    std::fs::write(&kind, "mine").unwrap();
    let settings = std::fs::read_to_string(&practice.sandbox.config_path).unwrap();
    std::fs::write(&practice.sandbox.config_path, settings.replace("ops-1", "ops-2")).unwrap();
    let practice = practice.restart().await;
    assert_eq!(std::fs::read_to_string(kind).unwrap(), "mine");
    assert!(std::fs::read_to_string(&practice.sandbox.config_path).unwrap().contains("ops-2"));
}

#[tokio::test]
async fn a_port_that_was_taken_meanwhile_changes_the_settings() {
    let practice = Practice::begin().await;
    let old = practice.sandbox.gitlab_url.clone();
    let port = old.rsplit(':').next().unwrap().parse::<u16>().unwrap();
    let dir = practice.dir;
    practice.sandbox.stop().await;
    let _taken = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let sandbox = start(dir.path(), brisk()).await.unwrap();
    assert_ne!(sandbox.gitlab_url, old);
    let text = std::fs::read_to_string(&sandbox.config_path).unwrap();
    assert!(text.contains(&sandbox.gitlab_url) && !text.contains(&old));
}

#[tokio::test]
async fn refusals_to_start_are_sentences() {
    let practice = Practice::begin().await;
    let words = |outcome: Result<signalbox_sandbox::Sandbox, signalbox_sandbox::SandboxError>| match outcome {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    };
    let second = words(start(practice.path(), brisk()).await);
    assert!(second.starts_with("another sandbox already works in "), "{second}");

    let port = practice.sandbox.gitlab_url.rsplit(':').next().unwrap().parse::<u16>().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let taken = words(start(dir.path(), Options { gitlab_port: Some(port), ..brisk() }).await);
    assert!(taken.contains(&format!("cannot listen on 127.0.0.1:{port}: another program uses this port")), "{taken}");

    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let unwritable = words(start(&file, brisk()).await);
    assert!(unwritable.starts_with("the sandbox cannot write "), "{unwritable}");

    std::fs::write(dir.path().join("sandbox/state.json"), "not json").unwrap();
    let broken = words(start(dir.path(), brisk()).await);
    assert!(broken.contains("cannot be read"), "{broken}");
}
