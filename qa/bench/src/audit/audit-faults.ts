import type { AuditFigures } from './audit-run.js'

export interface AuditBars {
  readonly exportMegabytes: number
  readonly verifySeconds: number
}

/** The promised limits for an audit log of a million records. */
export const fullBars: AuditBars = { exportMegabytes: 100, verifySeconds: 60 }

/** Describes the faults of a run. */
export function findFaults(
  { records, exported, verified, offline, found }: AuditFigures,
  bars: AuditBars,
): readonly string[] {
  const checks: readonly (readonly [fault: string, isFaulty: boolean])[] = [
    [`${exported.lines} of ${records} records were exported`, exported.lines < records],
    [
      `memory grew by ${exported.megabytes.toFixed(0)} MB while it was exported`,
      exported.megabytes > bars.exportMegabytes,
    ],
    [`the chain is broken: ${verified.detail}`, !verified.valid || verified.heldHead !== 'contained'],
    [`${verified.checkedCount} of ${records} records were verified`, verified.checkedCount < records],
    [`verifying took ${verified.seconds.toFixed(0)} s`, verified.seconds > bars.verifySeconds],
    ['the export is not complete', !offline.isWhole],
    ...found.map(({ name, isFound }) => [`not found: ${name}`, !isFound] as const),
  ]
  return checks.filter(([, isFaulty]) => isFaulty).map(([fault]) => fault)
}
