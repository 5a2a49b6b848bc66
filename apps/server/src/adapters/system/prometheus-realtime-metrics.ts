import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RealtimeMetrics, RelayCounters } from '../../ports/realtime-metrics.js'

const seconds = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 15]

export function makePrometheusRealtimeMetrics(registry: Registry): RealtimeMetrics {
  const registers = [registry]
  const relayed: RelayCounters = { clientFrames: 0, clientBytes: 0, providerFrames: 0, providerBytes: 0 }
  countFromNumbers(registry, relayed)
  const active = new Gauge({
    name: 'parley_realtime_sessions_active',
    help: 'Sessions that run now.',
    registers,
  })
  const ended = new Counter({
    name: 'parley_realtime_sessions_ended_total',
    help: 'Sessions that ended, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const connectTime = new Histogram({
    name: 'parley_realtime_provider_connect_seconds',
    help: 'Time until the provider was connected.',
    buckets: seconds,
    registers,
  })
  const firstAudio = new Histogram({
    name: 'parley_realtime_first_audio_seconds',
    help: "Time from the end of a user's turn to the first audio of the answer.",
    buckets: seconds,
    registers,
  })
  return {
    relayed,
    sessionStarted: () => active.inc(),
    sessionEnded(reason) {
      active.dec()
      ended.inc({ reason })
    },
    providerConnected: (time) => connectTime.observe(time),
    firstAudio: (time) => firstAudio.observe(time),
  }
}

/** Frames are counted in plain numbers; they become metrics only when somebody asks for them. */
function countFromNumbers(registry: Registry, relayed: RelayCounters): void {
  const counter = (name: string, help: string, client: keyof RelayCounters, provider: keyof RelayCounters) =>
    new Counter({
      name,
      help,
      labelNames: ['from'],
      registers: [registry],
      collect() {
        this.reset()
        this.inc({ from: 'client' }, relayed[client])
        this.inc({ from: 'provider' }, relayed[provider])
      },
    })
  counter('parley_realtime_frames_total', 'Frames relayed, by sender.', 'clientFrames', 'providerFrames')
  counter('parley_realtime_bytes_total', 'Bytes relayed, by sender.', 'clientBytes', 'providerBytes')
}
