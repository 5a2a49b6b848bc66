import { collectDefaultMetrics, Registry } from 'prom-client'

const ofProcess = new Registry()

/**
 * Adds what is measured of the process: its memory, its event loop, its garbage collections. They are measured once, for
 * every service in it: who measures them takes a timer and an observer that nobody can stop.
 */
export function addProcessMetrics(registry: Registry): void {
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess })
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name)
    if (metric !== undefined) registry.registerMetric(metric)
  }
}
