import type { AttackResult } from './attack-run.js'

/** The limits on the effects of an attack on other tenants. */
export interface Bars {
  readonly p99Milliseconds: number
  readonly longestMilliseconds: number
  /** The allowed growth of memory during an attack: 0.2 is a fifth. */
  readonly memoryGrowth: number
}

/** For the full run on two cores. */
export const fullBars: Bars = { p99Milliseconds: 250, longestMilliseconds: 1000, memoryGrowth: 0.2 }

/** Describes every bar that a result breaks. */
export function findBrokenBars({ canary, memory, faults }: AttackResult, bars: Bars): string[] {
  const broken = [...summarize(faults)]
  for (const [what, { p99, longest, count }] of [
    ['calls', canary.calls],
    ['frames', canary.frames],
  ] as const) {
    if (count === 0) broken.push(`none of the other organization's ${what} succeeded`)
    if (p99 > bars.p99Milliseconds)
      broken.push(`p99 of the other organization's ${what}: ${Math.round(p99)} ms`)
    if (longest > bars.longestMilliseconds)
      broken.push(`one of the other organization's ${what} waited ${Math.round(longest)} ms`)
  }
  const growth = memory.held / memory.before - 1
  if (growth > bars.memoryGrowth) broken.push(`memory grew by ${Math.round(growth * 100)} %`)
  return broken
}

/** Reports repeated faults once. */
function summarize(faults: readonly string[]): string[] {
  const kinds = new Map<string, { first: string; count: number }>()
  for (const fault of faults) {
    const kind = fault.replaceAll(/[0-9a-f-]{36}/g, '…')
    const known = kinds.get(kind)
    kinds.set(kind, { first: known?.first ?? fault, count: (known?.count ?? 0) + 1 })
  }
  return [...kinds.values()].map(({ first, count }) => (count === 1 ? first : `${count} x ${first}`))
}
