import type { Webhook, WebhookInput } from '@parley/sdk'

export interface WebhookDraft {
  readonly name: string
  readonly url: string
  /** All events, including future ones. `events` is ignored then. */
  readonly isAllEvents: boolean
  readonly events: readonly Webhook['events'][number][]
  readonly agentIds: readonly string[]
  readonly payload: Webhook['payload']
  readonly isEnabled: boolean
}

export const newWebhook: WebhookDraft = {
  name: '',
  url: '',
  isAllEvents: false,
  events: [],
  agentIds: [],
  payload: 'full',
  isEnabled: true,
}

export function draftOf({ name, url, events, agentIds, payload, isEnabled }: Webhook): WebhookDraft {
  return {
    name,
    url,
    agentIds,
    payload,
    isEnabled,
    isAllEvents: events.includes('*'),
    events: events.filter((event) => event !== '*'),
  }
}

export function inputOf({ name, url, isAllEvents, events, ...rest }: WebhookDraft): WebhookInput {
  return {
    name: name.trim(),
    url: url.trim(),
    events: isAllEvents ? ['*'] : [...events],
    agentIds: [...rest.agentIds],
    payload: rest.payload,
    isEnabled: rest.isEnabled,
  }
}

export function validateDraft({
  name,
  url,
  isAllEvents,
  events,
}: WebhookDraft): Readonly<Record<string, string>> {
  return {
    ...(name.trim() === '' && { name: 'Name is required' }),
    ...(!/^https?:\/\/[^\s#]+$/.test(url.trim()) && {
      url: 'Must be an http or https URL without a fragment',
    }),
    ...(!isAllEvents && events.length === 0 && { events: 'Select at least one event' }),
  }
}
