import { readFileSync } from 'node:fs'
import { type Fault, faultKinds, type Plan } from './fault.js'

type Read = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problem: string }

/** Reads a plan from a file that a run or a person wrote. */
export function readPlan(path: string): Read {
  let plan: Plan
  try {
    plan = JSON.parse(readFileSync(path, 'utf8')) as Plan
  } catch (error) {
    return { ok: false, problem: `Cannot read ${path}: ${error instanceof Error ? error.message : error}` }
  }
  const numbers = [plan.seed, plan.seconds, plan.sessions]
  if (!numbers.every((number) => Number.isFinite(number)) || !Array.isArray(plan.faults))
    return { ok: false, problem: `${path} is not a plan. A plan has seed, seconds, sessions and faults.` }
  const wrong = plan.faults.find((fault: Fault) => !isFault(fault))
  if (wrong) return { ok: false, problem: `${path} has an unknown fault: ${JSON.stringify(wrong)}` }
  return { ok: true, plan }
}

function isFault({ kind, atSeconds, forSeconds }: Fault): boolean {
  return faultKinds.includes(kind) && atSeconds >= 0 && forSeconds >= 0
}
