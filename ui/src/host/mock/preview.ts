import type { Fields, Preview } from "../../api/types";

const BEFORE = `# limits of one service, by region
regions:
  ap-northeast-1:
    # owner: order-platform
    rps: 1500
    burst: 3000
    perClient: 120
    exempt:
      - { partner: acme-logistics, cidr: 10.8.0.0/16 }
`;

/** What the mock engine would write for these fields; `cn-east-2` is always held by the first sample. */
export function previewOf(fields: Fields, holder: string): Preview {
  const service = String(fields.service ?? "");
  const region = String(fields.region ?? "");
  const limits = (fields.limits ?? {}) as Fields;
  const rps = String(limits.rps ?? 1500);
  const burst = String(limits.burst ?? 3000);
  const after = BEFORE.replace("rps: 1500", `rps: ${rps}`).replace("burst: 3000", `burst: ${burst}`);
  const busy = region === "cn-east-2";
  return {
    subject_id: service,
    target_key: `${region}/${String(fields.resource ?? "")}`,
    files: [
      {
        path: `limits/${service}.yaml`,
        action: "update",
        before: BEFORE,
        after,
        diff: `@@ -3,7 +3,7 @@ regions:\n   ap-northeast-1:\n     # owner: order-platform\n-    rps: 1500\n-    burst: 3000\n+    rps: ${rps}\n+    burst: ${burst}\n     perClient: 120\n     exempt:\n       - { partner: acme-logistics, cidr: 10.8.0.0/16 }\n`,
      },
      {
        path: "audit/(operation id).txt",
        action: "create",
        before: null,
        after: `subject: ${service}\ntarget: ${region}\n`,
        diff: `@@ -0,0 +1,2 @@\n+subject: ${service}\n+target: ${region}\n`,
      },
    ],
    warnings: Number(burst) > 4 * Number(rps) ? ["Burst is more than four times the requests per second."] : [],
    relation: busy
      ? {
          state: "busy",
          operation_id: holder,
          sentence: "Held by another request that is not finished; free once it is REJECTED or CLOSED.",
        }
      : { state: "free", operation_id: null, sentence: "No open request holds this subject and target." },
  };
}
