import type { World } from "./world";

/** A request with a rule that nobody else has; its project demands a rebase when the target has moved. */
export function rule(world: World, name: string, port = 8443): Promise<string> {
  return world.engine.submit("firewall-rule", {
    zone: "core",
    rule: name,
    source: "10.30.4.0/24",
    destination: "10.30.9.10/32",
    port,
    protocol: "tcp",
    action: "allow",
    reason: "The ledger is read by billing at the close of the day.",
  });
}

/** Goes all the way by itself, but for the desk. */
export async function validated(world: World, service = "billing", limit = 12): Promise<string> {
  const id = await world.engine.quota(service, "eu-west", "cpu", limit);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10301);
  return id;
}

/** Its pipeline failed. */
export async function checksFailed(world: World, service = "media", limit = 18): Promise<string> {
  await world.remotes.set({ "pipeline.fail_next": 1 });
  const id = await world.engine.quota(service, "eu-west", "cpu", limit);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10004);
  return id;
}

/** The robots were refused: the platform demands a checklist that the classic call does not send. */
export async function approveFailed(world: World, service = "search", limit = 28): Promise<string> {
  await world.remotes.set({ "gitlab.checklist": true });
  const id = await world.engine.quota(service, "us-east", "cpu", limit);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10103);
  return id;
}

/** Merged, and its deploy result never arrived. */
export async function callbackLost(world: World, service = "checkout", limit = 32): Promise<string> {
  await world.remotes.set({ "deploy.lose": 1 });
  const id = await world.engine.quota(service, "eu-west", "cpu", limit);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10109);
  await world.remotes.used("deploy.lose");
  return id;
}

/** Went round the rebase loop twice, and through. */
export async function rebasedTwice(world: World, name = "billing-to-archive"): Promise<string> {
  await world.remotes.set({ "gitlab.target_moves": 2 });
  const id = await rule(world, name);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10301);
  return id;
}

/** Somebody changed the same lines: the rebase failed. */
export async function rebaseConflict(world: World, name = "search-to-media"): Promise<string> {
  await world.remotes.set({ "gitlab.conflict_next": 1 });
  const id = await rule(world, name, 9300);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10105, 10104);
  return id;
}

/** Waits for a pipeline that does not end. */
export async function waiting(world: World, service = "media", limit = 30): Promise<string> {
  await world.remotes.set({ "pipeline.stuck_next": 1 });
  const id = await world.engine.quota(service, "ap-south", "memory", limit);
  await world.remotes.decide(id, "approve");
  await world.engine.reaches(id, 10005);
  return id;
}
