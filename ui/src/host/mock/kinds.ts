import type { Kind } from "../../api/types";

const rateLimit: Kind = {
  kind: "rate-limit",
  title: "Rate limit",
  titles: { en: "Rate limit", "zh-CN": "限流" },
  workflow: "merge-request",
  repeatable: true,
  project: "platform/config",
  target_branch: "main",
  checks: "required",
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    required: ["service", "region", "resource", "limits"],
    unevaluatedProperties: false,
    properties: {
      service: {
        type: "string",
        title: "Service",
        minLength: 2,
        pattern: "^[a-z][a-z0-9-]*$",
        description: "subject of the relation",
      },
      region: {
        type: "string",
        title: "Region",
        enum: ["cn-east-2", "ap-northeast-1", "eu-west-1", "us-east-1"],
        description: "with the resource, the target",
      },
      resource: { type: "string", title: "Resource", enum: ["rps", "connections", "payload"] },
      effective_on: { type: "string", format: "date", title: "Takes effect" },
      limits: {
        type: "object",
        title: "Limits",
        required: ["rps", "burst"],
        additionalProperties: false,
        properties: {
          rps: { type: "integer", title: "Requests per second", minimum: 1, maximum: 100000 },
          burst: { type: "integer", title: "Burst", minimum: 1, maximum: 9600 },
          per_client: { type: "integer", title: "Per client", minimum: 1 },
          window: { type: "string", title: "Window", enum: ["1s", "10s", "60s"] },
        },
      },
      exempt: {
        type: "array",
        title: "Exempt partners",
        maxItems: 20,
        items: {
          type: "object",
          title: "partner",
          required: ["partner", "cidr"],
          properties: {
            partner: { type: "string", title: "Partner" },
            cidr: { type: "string", title: "CIDR", pattern: "^[0-9./]+$" },
            until: { type: "string", format: "date", title: "Until" },
          },
        },
      },
      emergency: {
        type: "boolean",
        title: "Emergency",
        description: "asks for an incident number",
        default: false,
      },
    },
    if: { properties: { emergency: { const: true } }, required: ["emergency"] },
    then: {
      required: ["incident"],
      properties: { incident: { type: "string", title: "Incident", pattern: "^INC-[0-9]+$" } },
    },
  },
};

function simple(kind: string, en: string, zh: string): Kind {
  return {
    ...rateLimit,
    kind,
    title: en,
    titles: { en, "zh-CN": zh },
    schema: {
      type: "object",
      required: ["service", "value"],
      properties: {
        service: { type: "string", title: "Service" },
        value: { type: "integer", title: "Value", minimum: 0 },
        note: { type: "string", title: "Note", maxLength: 400 },
      },
    },
  };
}

export const kinds: Kind[] = [
  rateLimit,
  simple("service-quota", "Service quota", "服务配额"),
  simple("feature-flag", "Feature flag", "功能开关"),
  simple("db-pool", "Database pool", "数据库连接池"),
  simple("firewall-rule", "Firewall rule", "防火墙规则"),
];
