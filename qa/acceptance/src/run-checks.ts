import { setMaxListeners } from 'node:events'
import { ApiError, Parley } from '@parley/sdk'
import type { Check, CheckGroup } from './check.js'
import { Unmet } from './expectations.js'
import { findScopes } from './held-scopes.js'
import type { Failure, Outcome, Summary } from './outcome.js'
import { removeMade } from './remove-made.js'
import { Run, type RunOptions } from './run.js'
import { Skipped } from './skipped.js'
import { Visit } from './visit.js'

export interface Listener {
  /** Called when the run has its name. */
  begun(run: Run): void
  outcome(outcome: Outcome): void
}

const usualTimeoutSeconds = 30
const removalTimeoutMilliseconds = 5000
const removalSeconds = 60
const shownRequests = 5

/** Runs the checks one after another. Always removes the created resources at the end. */
export async function runChecks(
  groups: readonly CheckGroup[],
  options: RunOptions,
  { listener, interrupted }: { readonly listener: Listener; readonly interrupted: AbortSignal },
): Promise<Summary> {
  const run = new Run(options)
  const [startedAt, begin] = [new Date().toISOString(), performance.now()]
  listener.begun(run)
  const stopped = AbortSignal.any([interrupted, AbortSignal.timeout(options.maxSeconds * 1000)])
  const outcomes: Outcome[] = []
  const wanted = selected(groups, options.only)
  await learnScopes(run, stopped)
  for (const { name: group, checks } of wanted)
    for (const check of checks) {
      const outcome = { group, title: check.title, ...(await runCheck(run, check, stopped)) }
      outcomes.push(outcome)
      listener.outcome(outcome)
    }
  const isCutShort = stopped.aborted
  const removal = await removeMade(removingClient(options), run)
  const seconds = (performance.now() - begin) / 1000
  return { url: options.url, run: run.name, startedAt, seconds, isCutShort, outcomes, ...removal }
}

/** Selects groups by name, and single checks by a part of the title. */
function selected(groups: readonly CheckGroup[], only: readonly string[]): readonly CheckGroup[] {
  if (only.length === 0) return groups
  const parts = only.filter((part) => !groups.some(({ name }) => name === part))
  return groups
    .map(({ name, checks }) => ({
      name,
      checks: only.includes(name)
        ? checks
        : checks.filter(({ title }) => parts.some((part) => title.includes(part))),
    }))
    .filter(({ checks }) => checks.length > 0)
}

/** If even this request fails, the first checks report the reason. */
async function learnScopes(run: Run, stopped: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(usualTimeoutSeconds * 1000)])
  setMaxListeners(0, signal)
  run.held = await findScopes(new Visit(run, signal)).catch((error: unknown) => {
    return { ok: false, reason: `the deployment could not be reached: ${causesOf(error)}` }
  })
}

/** Tries longer than the checks do, because leftovers would have to be removed by hand. */
function removingClient({ url, organizationId, apiKey }: RunOptions): Parley {
  const signal = AbortSignal.timeout(removalSeconds * 1000)
  return new Parley({
    baseUrl: url,
    organizationId,
    apiKey,
    timeoutMilliseconds: removalTimeoutMilliseconds,
    fetch: (input, init) =>
      fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  })
}

type Result = Outcome extends infer Each
  ? Each extends Outcome
    ? Omit<Each, 'group' | 'title'>
    : never
  : never

async function runCheck(run: Run, check: Check, stopped: AbortSignal): Promise<Result> {
  const begin = performance.now()
  const elapsed = () => Math.round(performance.now() - begin)
  const reason = stopped.aborted ? 'the run ended before' : reasonToSkip(run, check)
  if (reason !== null) return { kind: 'skipped', reason, milliseconds: 0 }
  const timeoutSeconds = check.timeoutSeconds ?? usualTimeoutSeconds
  const over = new AbortController()
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutSeconds * 1000), over.signal])
  // Each request and each wait of the check adds a listener.
  setMaxListeners(0, signal)
  const visit = new Visit(run, signal)
  try {
    await orAborted(check.run(visit), signal)
    return { kind: 'passed', milliseconds: elapsed() }
  } catch (error) {
    if (error instanceof Skipped) return { kind: 'skipped', reason: error.message, milliseconds: elapsed() }
    const late = stopped.aborted ? 'the run ended' : `the check did not finish within ${timeoutSeconds} s`
    const failure = failureOf(error, visit, signal.aborted && !(error instanceof Unmet) ? late : null)
    return { kind: 'failed', failure: { ...failure, look: check.look }, milliseconds: elapsed() }
  } finally {
    // Closes unread streams and unawaited responses.
    over.abort()
    visit.close()
  }
}

function reasonToSkip({ options, held }: Run, { needs = [], usesModel = false }: Check): string | null {
  if (!held.ok) return needs.length === 0 ? null : held.reason
  const lacking = needs.filter((scope) => !held.scopes.has(scope))
  if (lacking.length > 0) return `the key lacks the scope ${lacking.join(', ')}`
  return usesModel && options.isWithoutModels ? 'models are switched off (--without-models)' : null
}

/** A check that never finishes must not block the others. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  work.catch(() => undefined)
  // The check's own error is more specific than the timeout, so the check gets some time to report it.
  const patient = aborted.catch(async (reason: unknown) => {
    await new Promise((settle) => setTimeout(settle, 200))
    throw reason
  })
  try {
    await Promise.race([work, patient])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function failureOf(error: unknown, { requestIds }: Visit, late: string | null): Omit<Failure, 'look'> {
  const ids = requestIds.slice(-shownRequests)
  if (error instanceof Unmet) return { expected: error.expected, got: error.got, requestIds: ids }
  if (error instanceof ApiError) {
    const fields = error.errors.map(({ path, message }) => `; ${path}: ${message}`).join('')
    const got = `HTTP ${error.status} ${error.errorCode ?? '(not from Parley)'}: ${error.message}${fields}`
    return { expected: null, got, requestIds: error.requestId === null ? ids : [error.requestId] }
  }
  return { expected: null, got: late ?? causesOf(error), requestIds: ids }
}

/** Node puts the reason for a connection failure in the cause. */
function causesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${causesOf(error.cause)}`
}
