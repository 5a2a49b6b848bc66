import { isDeepStrictEqual } from 'node:util'
import { ConflictError, NotFoundError, type Parley } from '@parley/sdk'
import { errorsOf, type ReadyPlan, type Step } from './make-plan.js'
import type { Names } from './names.js'
import type { Plan, PlannedChange } from './plan.js'
import type { PresentResource } from './present-state.js'
import { FileErrors } from './yaml-file.js'

/** The service or the files changed between plan and apply. The changes of others are not overwritten. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly code = 'ChangedMeanwhile'
}

/** A change that `parley apply` made. After a failure, the caller reports these. */
export interface AppliedChange extends Pick<PlannedChange, 'action' | 'kind' | 'externalId'> {
  /** The signing secret of a new webhook. The service shows it only once, and it must never be printed. */
  readonly secret: string | null
}

/** Throws if a new plan would differ from the saved one. */
export function requireSamePlan(saved: Plan, now: Plan): void {
  for (const name of ['url', 'organizationId', 'set'] as const)
    if (saved[name] !== now[name])
      throw new ChangedMeanwhile(
        `The plan was made for ${name} ${saved[name]}, but this is ${name} ${now[name]}. Run parley plan again.`,
      )
  const keyOf = ({ kind, externalId }: PlannedChange) => `${kind} ${externalId}`
  const planned = new Map(saved.changes.map((change) => [keyOf(change), change]))
  const present = new Map(now.changes.map((change) => [keyOf(change), change]))
  const different = [...new Set([...planned.keys(), ...present.keys()])].filter(
    (key) => !isDeepStrictEqual(comparable(planned.get(key)), comparable(present.get(key))),
  )
  if (different.length === 0) return
  throw new ChangedMeanwhile(
    `Changed since the plan was made, in the service or in the files: ${different.join(', ')}. Nothing was applied. Run parley plan again and review the differences.`,
  )
}

/** Leaves out the file and line of an entry, because they do not affect what is applied. */
function comparable(change: PlannedChange | undefined): unknown {
  if (change === undefined) return null
  const { file: _, line: __, ...rest } = change
  return JSON.parse(JSON.stringify(rest))
}

/**
 * Applies the changes sequentially, each to the version that was planned for. Calls `onApplied` after
 * each change, so that the caller can report the applied changes if a later one fails.
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
  /**
   * Whether this run has already made a connection the default. The service then removes the mark from the
   * former default.
   */
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

/**
 * Returns the version to write to. If this run made another connection the default, the former default has a
 * new version that is not a change of anyone else.
 */
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
      `${kind} ${externalId} has changed since the plan was made. It was not changed, and the rest of the plan was not applied. Run parley plan again.`,
    )
  if (entry === null) return error
  try {
    return new FileErrors(errorsOf(error, entry))
  } catch {
    return error
  }
}
