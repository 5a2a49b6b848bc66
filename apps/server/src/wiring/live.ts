import { LiveStreams, type LiveStreamsDependencies } from '../domain/live/live-streams.js'

/** Composes live streams. Local writes and signals of other instances wake them. */
export function composeLive(dependencies: LiveStreamsDependencies): LiveStreams {
  const live = new LiveStreams(dependencies)
  dependencies.database.onChange((changes) => {
    for (const id of changes.keys()) live.wake(id)
  })
  dependencies.database.onLogEntry((organizationId) => live.wake(organizationId))
  return live
}
