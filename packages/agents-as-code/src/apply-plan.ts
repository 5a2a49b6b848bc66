import { isDeepStrictEqual } from 'node:util'
import { ConflictError, NotFoundError, type Parley } from '@parley/sdk'
import { mistakesOf, type ReadyPlan, type Step } from './make-plan.js'
import type { Names } from './names.js'
import type { Plan, PlannedChange } from './plan.js'
import type { PresentResource } from './present-state.js'
import { FileMistakes } from './yaml-file.js'

/** Somebody else was there between plan and apply: what they did is left as it is. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly code = 'ChangedMeanwhile'
}

/** Something was applied before the rest failed. */
export interface AppliedChange extends Pick<PlannedChange, 'action' | 'kind' | 'externalId'> {
  /** Of a new webhook, told this once; never printed. */
  readonly secret: string | null
}

/** Refuses where a plan that was made before is not the one that would be made now. */
export function requireSamePlan(saved: Plan, now: Plan): void {
  for (const name of ['url', 'organizationId', 'set'] as const)
    if (saved[name] !== now[name])
      throw new ChangedMeanwhile(
        `The plan was made for ${name} ${saved[name]}, and this is ${now[name]}. Make a plan for it.`,
      )
  const keyOf = ({ kind, externalId }: PlannedChange) => `${kind} ${externalId}`
  const planned = new Map(saved.changes.map((change) => [keyOf(change), change]))
  const present = new Map(now.changes.map((change) => [keyOf(change), change]))
  const different = [...new Set([...planned.keys(), ...present.keys()])].filter(
    (key) => !isDeepStrictEqual(comparable(planned.get(key)), comparable(present.get(key))),
  )
  if (different.length === 0) return
  throw new ChangedMeanwhile(
    `Changed since the plan was made, in the service or in the files: ${different.join(', ')}. Nothing was applied. Run parley plan again, and look at what is different.`,
  )
}

/** Where an entry stands in its file is no part of what is done. */
function comparable(change: PlannedChange | undefined): unknown {
  if (change === undefined) return null
  const { file: _, line: __, ...rest } = change
  return JSON.parse(JSON.stringify(rest))
}

/**
 * Carries the plan out, one change after the other, each on the very version that was planned for. `onApplied` hears of each
 * as it is done, so that a failure in the middle leaves nobody guessing.
 */
export async function applyPlan(
  parley: Parley,
  { plan, steps, names }: ReadyPlan,
  onApplied: (change: AppliedChange) => void,
): Promise<void> {
  let hasMovedDefault = false
  for (const step of steps) {
    try {
      const secret = await applyStep(parley, step, { names, set: plan.set, hasMovedDefault })
      hasMovedDefault ||= step.entry?.formWith((_, name) => name).isDefault === true
      const { action, kind, externalId } = step.change
      onApplied({ action, kind, externalId, secret })
    } catch (error) {
      throw explained(error, step)
    }
  }
}

interface Applying {
  readonly names: Names
  readonly set: string
  /** Whether this run has made a connection the default, and so taken the mark from another. */
  readonly hasMovedDefault: boolean
}

async function applyStep(
  parley: Parley,
  step: Step,
  { names, set, hasMovedDefault }: Applying,
): Promise<string | null> {
  const { change, entry, present } = step
  const etag = change.etag ?? ''
  if (entry === null) {
    await present.remove(hasMovedDefault ? await versionWithoutMark(present, etag, names) : etag)
    return null
  }
  const { externalId, kind } = entry
  const write = { marks: { externalId, managedBy: set }, idOf: names.idOf, isDryRun: false }
  if (present === null) {
    const { id, secret } = await entry.create(parley, write)
    names.learn(kind, externalId, id)
    return secret
  }
  const current = hasMovedDefault ? await versionWithoutMark(present, etag, names) : etag
  await entry.replace(parley, write, { ...present, etag: current })
  return null
}

/** What had the mark of the default has lost it to another by this very run: that is one version more, and nobody's edit. */
async function versionWithoutMark(present: PresentResource, etag: string, names: Names): Promise<string> {
  const before = present.formWith(names.nameOf)
  if (present.kind !== 'connections' || before.isDefault !== true) return etag
  const now = await present.reread()
  const isOurs = isDeepStrictEqual({ ...now.resource.formWith(names.nameOf), isDefault: true }, before)
  return isOurs ? now.etag : etag
}

function explained(error: unknown, { change, entry }: Step): unknown {
  const { kind, externalId, action } = change
  const isLate = error instanceof ConflictError && (error.status === 412 || action === 'create')
  if (isLate || error instanceof NotFoundError)
    return new ChangedMeanwhile(
      `${kind} ${externalId} has changed since the plan was made. It was left as it is, and what comes after it was not applied. Run parley plan again.`,
    )
  if (entry === null) return error
  try {
    return new FileMistakes(mistakesOf(error, entry))
  } catch {
    return error
  }
}
