import type { WorkMetrics } from '#server/ports/metrics.js'

/** For tests that check no metrics. */
export const noWorkMetrics: WorkMetrics = {
  jobFailed: () => undefined,
  toolCalled: () => undefined,
  modelUsed: () => undefined,
}
