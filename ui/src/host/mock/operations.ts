import type { Operation, Outlook } from "../../api/types";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One sample in short: code, subject, target, kind, sentence, minutes in this step, usual ms, MR number. */
type Sample = [number, string, string, string, string, number, number | null, number | null];

const SAMPLES: Sample[] = [
  [
    10103,
    "checkout-api",
    "cn-east-2/rps",
    "rate-limit",
    "Approval by reviewer-b failed on 3f2a91c: 401 three times, and the list shows only reviewer-a",
    43,
    9_000,
    1847,
  ],
  [
    10108,
    "payments-ledger",
    "eu-west-1/max-connections",
    "db-pool",
    "Waiting for pipeline #812 on b07c4e2: look 86 of 120, next in 22 s",
    38,
    12 * MINUTE,
    1851,
  ],
  [
    10502,
    "search-indexer",
    "ap-southeast-1/replicas",
    "service-quota",
    "Pipeline #799 gave no result in 120 looks: not known, and safe to keep waiting",
    72,
    9 * MINUTE,
    1839,
  ],
  [
    10007,
    "支付网关 pay-gateway",
    "cn-north-1/带宽",
    "bandwidth",
    "分支 signalbox/01KB9 不是本系统创建的：未写入任何内容，请先处理该分支",
    22,
    4_000,
    null,
  ],
  [
    10102,
    "notification-fanout",
    "eu-west-1/consumer-concurrency",
    "service-quota",
    "Merging !1853 on 77d01be: sent, reading it back",
    0.05,
    6_000,
    1853,
  ],
  [
    10402,
    "user-profile-cache",
    "us-east-1/ttl-seconds",
    "feature-flag",
    "Waiting for the approval desk: ticket ITSM-48231, asked 26 min ago, next poll in 41 s",
    26,
    110 * MINUTE,
    null,
  ],
  [
    10402,
    "风控规则引擎 risk-rules",
    "cn-east-2/阈值",
    "rule-set",
    "等待审批：工单 ITSM-48229，审批人 王敏、李建国，41 秒后再次查询",
    185,
    110 * MINUTE,
    null,
  ],
  [
    10109,
    "edge-router-07",
    "fra1/acl-public-ingress",
    "firewall-rule",
    "Merged as 9be20f4; waiting for the deploy result of !1842",
    17,
    21 * MINUTE,
    1842,
  ],
  [
    10105,
    "billing-cron",
    "eu-central-1/invoice-close-schedule-for-the-last-day",
    "schedule",
    "Rebase of !1836 conflicts with main in schedules/billing.yaml",
    100,
    null,
    1836,
  ],
  [
    10504,
    "media-transcoder",
    "us-west-2/gpu-pool-size",
    "service-quota",
    "GitLab still says “checking” for !1844 after 120 looks: merge state not known",
    66,
    20_000,
    1844,
  ],
  [
    10001,
    "auth-session-store",
    "eu-west-1/eviction-policy",
    "feature-flag",
    "Creating branch and commit for 01KB9VQ2: 2 of 3 writes seen",
    0.03,
    4_000,
    null,
  ],
  [
    10107,
    "order-orchestrator-with-a-very-long-name",
    "ap-northeast-1/outbox-batch",
    "service-quota",
    "Rebasing !1849 onto c90d215: look 2 of 120, next in 1 s",
    0.15,
    8_000,
    1849,
  ],
  [
    10302,
    "geo-lookup",
    "sa-east-1/dataset-version",
    "dataset",
    "Deploy of !1821 failed: health check refused on 2 of 6 nodes. The change is merged",
    151,
    null,
    1821,
  ],
  [
    10005,
    "商品搜索 item-search",
    "cn-south-1/分片数",
    "service-quota",
    "等待流水线 #827（5d0be94）：第 8 次查询，共 120 次，4 秒后继续",
    0.7,
    3 * MINUTE,
    1854,
  ],
  [
    10301,
    "cdn-purge-worker",
    "global/rate",
    "rate-limit",
    "Effective since 13:52: deploy named !1838 exactly",
    66,
    null,
    1838,
  ],
  [
    10110,
    "inventory-sync",
    "eu-west-1/retry-budget",
    "service-quota",
    "Head of !1833 is a4410cc, not ours (pushed by l.hartmann): what was approved is not what would merge",
    252,
    null,
    1833,
  ],
  [
    10401,
    "feature-gateway",
    "us-east-1/rollout-percent",
    "feature-flag",
    "Sending the request to the approval desk: try 2 of 4, next in 1 s",
    0.05,
    1_000,
    null,
  ],
  [
    10404,
    "tls-termination",
    "fra1/min-version",
    "tls-policy",
    "Rejected by m.okafor: “wait for the browser report”. May be applied for again",
    40,
    null,
    null,
  ],
  [
    10109,
    "数据看板 bi-dashboard",
    "cn-east-2/查询超时",
    "service-quota",
    "已合并 c90d215，等待 !1840 的部署结果；已通知 2 次",
    19,
    21 * MINUTE,
    1840,
  ],
  [
    10403,
    "ledger-export",
    "eu-west-1/s3-retention-days",
    "storage",
    "Approval desk refused the request 4 times: 403, token lacks scope tickets:write",
    362,
    1_000,
    null,
  ],
  [
    10202,
    "metrics-relay",
    "eu-west-1/batch-size",
    "feature-flag",
    "Closed by ops-1: !1815 closed, ticket ITSM-48102 cancelled",
    58,
    null,
    1815,
  ],
];

const NAMES: Record<number, [string, string, Outlook]> = {
  10001: ["CREATE_STARTED", "MR_CREATING", "running"],
  10005: ["CREATE_PIPELINE_RUNNING", "MR_CREATING", "waiting"],
  10007: ["CREATE_CONFLICT", "CREATE_FAILED", "failed"],
  10102: ["HANDLE_APPROVED", "MERGING", "running"],
  10103: ["HANDLE_APPROVE_FAILED", "HANDLE_FAILED", "failed"],
  10105: ["HANDLE_REBASE_CONFLICT", "HANDLE_FAILED", "failed"],
  10107: ["HANDLE_REBASING", "MERGING", "waiting"],
  10108: ["HANDLE_PIPELINE_RUNNING", "MERGING", "waiting"],
  10109: ["HANDLE_MERGED", "MERGED", "waiting"],
  10110: ["HANDLE_HEAD_MOVED", "HANDLE_FAILED", "failed"],
  10202: ["CLOSE_SUCCEEDED", "CLOSED", "done"],
  10301: ["CALLED_BACK", "VALIDATED", "done"],
  10302: ["DEPLOY_FAILED", "MERGED", "failed"],
  10401: ["APPROVAL_SENDING", "APPROVAL_SENDING", "running"],
  10402: ["APPROVAL_WAITING", "APPROVAL_SENT", "waiting"],
  10403: ["APPROVAL_SEND_FAILED", "CREATE_FAILED", "failed"],
  10404: ["APPROVAL_REJECTED", "REJECTED", "done"],
  10502: ["CREATE_PIPELINE_PENDING", "MR_CREATING", "unknown"],
  10504: ["HANDLE_MERGE_PENDING", "MERGING", "unknown"],
};

function make(sample: Sample, index: number, now: number): Operation {
  const [code, subject, target, kind, sentence, minutes, usual, iid] = sample;
  const [name, status, outlook] = NAMES[code] ?? ["CALLED_BACK", "VALIDATED", "done"];
  const at = (ago: number) => new Date(now - ago).toISOString();
  const entered = at(minutes * MINUTE);
  return {
    operation_id: `01KB9VQ2ZR${String(index).padStart(6, "0")}7TN3D8QX4M`,
    kind,
    title: kind.replace("-", " "),
    subject_id: subject,
    target_key: target,
    status,
    step: { code, name },
    outlook,
    sentence,
    hint: outlook === "failed" ? "Turn to the platform team: this does not heal by itself." : "",
    version: 7,
    flow_order: "approval-first",
    fields: { service: subject, limits: { rps: 1800, burst: 3600 }, window: "60s" },
    owner: true,
    attempts: 1,
    waiting: waitingOf(code, now),
    mr: iid
      ? {
          project: "platform/config",
          iid,
          web_url: `http://127.0.0.1:8929/platform/config/-/merge_requests/${iid}`,
          head_sha: "3f2a91c4d0be9477d01be9be20f4c90d215a4410",
        }
      : null,
    ticket: { id: `ITSM-${48200 + index}`, url: "http://127.0.0.1:9001/desk/48213", state: "approved" },
    requested_by: index % 3 === 0 ? "ops-1" : index % 3 === 1 ? "林浩" : "m.okafor",
    created_at: at(minutes * MINUTE + 2 * HOUR + index * MINUTE),
    updated_at: entered,
    entered_at: entered,
    usual_ms: usual,
    last_error: outlook === "failed" ? { class: "auth", message: sentence, at: entered } : null,
    stalled: usual !== null && minutes * MINUTE > 20 * usual,
    comment: index === 0 ? "双十一扩容" : null,
    project: "platform/config",
    branch: `signalbox/01KB9VQ2ZR${index}`,
    target_branch: "main",
    merged_sha: null,
    rebases: index === 0 ? 2 : 0,
  };
}

function waitingOf(code: number, now: number): Operation["waiting"] {
  const next_look_at = new Date(now + 22_000).toISOString();
  if (code === 10108 || code === 10005) return { what: "pipeline", look: 7, max_looks: 120, next_look_at };
  if (code === 10402) return { what: "approval", look: 3, max_looks: 0, next_look_at };
  if (code === 10109) return { what: "deploy", look: 1, max_looks: 0, next_look_at };
  return null;
}

/** The samples, and behind them an archive of `archive` finished requests, newest first. */
export function makeOperations(archive: number, now = Date.now()): Operation[] {
  const old = Array.from({ length: archive }, (_, index): Operation => {
    const sample: Sample = [
      10301,
      `service-${index % 400}`,
      `eu-west-1/limit-${index % 7}`,
      "rate-limit",
      `Effective: deploy named !${1800 - (index % 1700)} exactly`,
      600 + index * 11,
      null,
      1800 - (index % 1700),
    ];
    return make(sample, SAMPLES.length + index, now);
  });
  return [...SAMPLES.map((sample, index) => make(sample, index, now)), ...old];
}
