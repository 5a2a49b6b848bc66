import type { RealtimeAccessMode } from '../../../ports/realtime-session-store.js'
import type { Caller } from '../../caller-scope.js'
import { DomainError } from '../../domain-error.js'

export interface AccessSettings {
  readonly enabled: boolean
  /** Whose sessions there may be. */
  readonly accessModes: readonly RealtimeAccessMode[]
}

/** People start sessions in the console, and keys with the API. */
export function accessModeOf({ actor }: Pick<Caller, 'actor'>): RealtimeAccessMode {
  return actor.type === 'person' ? 'console' : 'api'
}

/** Refuses where the deployment has no realtime. */
export function requireEnabled({ enabled }: AccessSettings): void {
  if (!enabled)
    throw new DomainError('RealtimeNotEnabled', 'Realtime sessions are switched off in this deployment.')
}

/** Refuses sessions that were created, or are to be, in a way that this deployment does not allow. */
export function requireAccessMode(settings: AccessSettings, mode: RealtimeAccessMode): void {
  requireEnabled(settings)
  if (!settings.accessModes.includes(mode))
    throw new DomainError(
      'RealtimeNotEnabled',
      `Realtime sessions cannot be started ${means[mode]} in this deployment.`,
    )
}

const means: Readonly<Record<RealtimeAccessMode, string>> = {
  api: 'with an API key',
  console: 'in the console',
}
