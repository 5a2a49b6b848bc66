import { Gauge, type Registry } from 'prom-client'

/** Whether Redis is there, of all workers together: as soon as one of them does without, it is not. */
export function measureRedis(registry: Registry, isAway: () => boolean): void {
  new Gauge({
    name: 'parley_redis_up',
    help: 'Whether Redis answers (1) or limits are counted by each instance for itself and changes polled for (0).',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(isAway() ? 0 : 1)
    },
  })
}
