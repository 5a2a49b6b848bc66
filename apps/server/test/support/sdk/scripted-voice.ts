import { type ConnectOptions, connect, type TicketRequest, type Voice } from '@parley/sdk/realtime'
import { closeAfterwards } from '../close-afterwards.js'
import type { RealtimeTestService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'

export interface ScriptedVoice {
  readonly voice: Voice
  readonly provider: ProviderSession
  /** What the function that gets tickets was asked, in order. */
  readonly ticketRequests: readonly TicketRequest[]
}

export type ScriptedOptions = Partial<ConnectOptions> & { readonly agentId?: string }

/** A voice whose model is played by the test, once it listens. */
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
  const provider = await becomeReady(running)
  const voice = await connecting
  closeAfterwards(() => voice.close())
  return { voice, provider, ticketRequests }
}

/** The provider takes the next session, as it was configured. */
export async function becomeReady({
  provider: endpoint,
}: Pick<RealtimeTestService, 'provider'>): Promise<ProviderSession> {
  const provider = await endpoint.accept()
  const { session } = await provider.inbox.takeType('session.update')
  provider.send({ type: 'session.updated', event_id: 'e', session })
  return provider
}
