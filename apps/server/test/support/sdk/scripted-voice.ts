import { type ConnectOptions, connect, type TicketRequest, type Voice } from '@parley/sdk/realtime'
import { closeAfterwards } from '../close-afterwards.js'
import type { RealtimeTestService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'

export interface ScriptedVoice {
  readonly voice: Voice
  readonly provider: ProviderSession
  /** The arguments of each call of the ticket function, in order. */
  readonly ticketRequests: readonly TicketRequest[]
}

export type ScriptedOptions = Partial<ConnectOptions> & { readonly agentId?: string }

/** Starts a voice whose provider is played by the test. Resolves when the voice is listening. */
export async function openVoice(
  running: RealtimeTestService,
  { agentId, ...options }: ScriptedOptions = {},
): Promise<ScriptedVoice> {
  const ticketRequests: TicketRequest[] = []
  const connecting = connect({
    url: running.url,
    ticket: (request) => {
      ticketRequests.push(request)
      const { conversationId, clientTools } = request
      return running.createTicket({ conversationId, clientTools }, agentId)
    },
    ...options,
  })
  const provider = await acceptSession(running)
  const voice = await connecting
  closeAfterwards(() => voice.close())
  return { voice, provider, ticketRequests }
}

/** Accepts the next session at the provider and acknowledges its configuration. */
export async function acceptSession({
  provider: endpoint,
}: Pick<RealtimeTestService, 'provider'>): Promise<ProviderSession> {
  const provider = await endpoint.accept()
  const { session } = await provider.inbox.takeType('session.update')
  provider.send({ type: 'session.updated', event_id: 'e', session })
  return provider
}
