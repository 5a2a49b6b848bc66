import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { TurnMetrics } from '../../ports/turn-metrics.js'

const seconds = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120]

export function makePrometheusTurnMetrics(registry: Registry): TurnMetrics {
  const registers = [registry]
  const active = new Gauge({
    name: 'parley_turns_active',
    help: 'Questions that are being answered.',
    registers,
  })
  const ended = new Counter({
    name: 'parley_turns_ended_total',
    help: 'Questions whose turn ended, by how it ended.',
    labelNames: ['state'],
    registers,
  })
  const firstWords = new Histogram({
    name: 'parley_turn_first_words_seconds',
    help: 'Time from the start of a turn to the first words of its answer.',
    buckets: seconds,
    registers,
  })
  return {
    turnStarted: () => active.inc(),
    turnEnded(state) {
      active.dec()
      ended.inc({ state })
    },
    firstWords: (time) => firstWords.observe(time),
  }
}
