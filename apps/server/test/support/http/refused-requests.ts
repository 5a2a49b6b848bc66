import type { ErrorCode } from '@parley/contract'
import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import { outcomeOf, readProblem } from './expect-problem.js'
import { type RawRequest, send } from './send.js'
import { snapshotOf } from './snapshot.js'

export interface RefusedRequest {
  readonly title: string
  readonly request: RawRequest
  readonly code: ErrorCode
  /** The field that the error must name. */
  readonly path?: string
}

const sentTogether = 12

/** Sends every request and expects the right error for each, and that nothing was written. */
export async function expectRefused(
  running: RunningService,
  requests: readonly RefusedRequest[],
): Promise<void> {
  const before = await snapshotOf(running, running.organizationId)
  const mismatches: string[] = []
  for (let start = 0; start < requests.length; start += sentTogether) {
    const batch = requests.slice(start, start + sentTogether)
    mismatches.push(...(await Promise.all(batch.map((refused) => mismatchesOf(running.url, refused)))).flat())
  }
  expect(mismatches).toEqual([])
  expect(await snapshotOf(running, running.organizationId)).toEqual(before)
}

async function mismatchesOf(url: string, { title, request, code, path }: RefusedRequest): Promise<string[]> {
  const answer = await send(url, request)
  const outcome = outcomeOf(answer)
  if (outcome !== code) return [`${title}: ${outcome}`]
  if (path === undefined) return []
  const named = readProblem(answer).errors?.map((error) => error.path) ?? []
  return named.includes(path) ? [] : [`${title}: names ${JSON.stringify(named)}, not ${JSON.stringify(path)}`]
}
