import { LiveStreams, type LiveStreamsDependencies } from '../domain/live/live-streams.js'
import type { ChangeSignals } from '../ports/change-signals.js'

/** Live streams, woken by the changes of this instance and by the signals of others. */
export function composeLive(
  dependencies: LiveStreamsDependencies & { readonly signals: ChangeSignals },
): LiveStreams {
  const live = new LiveStreams(dependencies)
  dependencies.database.onChange((organizationIds) => live.wake(organizationIds))
  dependencies.signals.onSignal(() => live.wakeAll())
  return live
}
