import type { ProviderErrorEvent } from '../protocol/provider-event.js'

interface Configuration {
  /** The id of the event that configures the session. */
  readonly updateEventId: string
  /** Whether the provider has confirmed the configuration. */
  readonly isConfigured: boolean
}

/**
 * Returns why the provider rejected the configuration of the session, or null if the error is about something else. Until
 * the provider has confirmed the configuration, an error about the session is an error about the configuration.
 */
export function configurationProblem(
  { eventId, param, message }: ProviderErrorEvent,
  { updateEventId, isConfigured }: Configuration,
): string | null {
  const isAboutSession = eventId === null && param !== null && param.startsWith('session')
  if (eventId !== updateEventId && (!isAboutSession || isConfigured)) return null
  return `The provider rejected the configuration of the session: ${message ?? 'no reason given'}`
}
