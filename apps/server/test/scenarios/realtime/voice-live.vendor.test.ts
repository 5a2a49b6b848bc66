import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { createDialectAgent } from '../../support/realtime/dialect-agent.js'
import { voiceLiveTurn } from '../../support/realtime/dialect-turns.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { loadVendorClient } from '../../support/vendor-client.js'

/** The parts of Azure's library that the tests use. */
interface VoiceLiveSession {
  subscribe(handlers: object): void
  connect(): Promise<void>
  updateSession(session: object): Promise<void>
  sendAudio(audio: Uint8Array): Promise<void>
  addConversationItem(item: object): Promise<void>
  dispose(): Promise<void>
}
interface VoiceLiveLibrary {
  readonly VoiceLiveClient: new (
    endpoint: string,
    credential: object,
  ) => { createSession(model: string): VoiceLiveSession }
}
interface AuthLibrary {
  readonly AzureKeyCredential: new (key: string) => object
}

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

async function connect() {
  const { VoiceLiveClient } = loadVendorClient<VoiceLiveLibrary>('@azure/ai-voicelive')
  const { AzureKeyCredential } = loadVendorClient<AuthLibrary>('@azure/core-auth')
  const host = service.provider.baseUrl.replace(/\/v1$/, '')
  const session = new VoiceLiveClient(host, new AzureKeyCredential('secret')).createSession('gpt-realtime')
  closeAfterwards(() => session.dispose())
  const events: { readonly type: string; readonly error?: { readonly message: string } }[] = []
  const errors: string[] = []
  session.subscribe({
    onServerEvent: async (event: { type: string }) => void events.push(event),
    onError: async ({ error }: { error: Error }) => void errors.push(error.message),
  })
  const accepted = service.provider.accept()
  const connecting = session.connect()
  const provider = await accepted
  await connecting
  return { session, provider, events, errors }
}

test('Azure’s client configures a session with the fields that the service sends [RT-55]', async () => {
  const { session, provider } = await connect()
  await session.updateSession({
    modalities: ['text', 'audio'],
    instructions: 'Be brief.',
    voice: { type: 'openai', name: 'alloy' },
    inputAudioFormat: 'pcm16',
    outputAudioFormat: 'pcm16',
    inputAudioSamplingRate: 24_000,
    inputAudioTranscription: { model: 'whisper-1' },
    turnDetection: { type: 'server_vad', createResponse: true, interruptResponse: true },
    tools: [{ type: 'function', name: 'clock', description: 'Time.', parameters: {} }],
    toolChoice: 'auto',
  })
  const theirs = await provider.inbox.takeType('session.update')
  const agentId = await createDialectAgent(service, 'azure-voice-live')
  const own = await service.openUnconfigured({}, agentId)
  const ours = await own.provider.inbox.takeType('session.update')
  const fieldsOf = ({ session: fields }: Record<string, unknown>) => {
    const { tools, instructions: _, ...others } = fields as Record<string, unknown>
    return { ...others, tool: Object.keys((tools as object[])[0] ?? {}).sort() }
  }
  expect(fieldsOf(ours)).toEqual(fieldsOf(theirs))
  const [theirPath, ourPath] = [provider.request.url, own.provider.request.url].map((url) =>
    new URL(url ?? '', 'http://host').pathname.replace(/^\/v1/, ''),
  )
  expect(ourPath).toBe(theirPath)
  own.client.socket.close(1000)
})

test('Azure’s client reads the scripted Voice Live without an error [RT-55]', async () => {
  const { provider, events, errors } = await connect()
  // The library ignores all events before this one.
  const created = { event_id: 'e', type: 'session.created', session: { id: 'sess', model: 'gpt-realtime' } }
  const sent = [created, ...voiceLiveTurn.untilCall, ...voiceLiveTurn.afterOutput] as { type: string }[]
  for (const event of sent) provider.send(event)
  await expect.poll(() => events.length, patiently).toBe(sent.length)
  expect(errors).toEqual([])
  expect(events.map(({ type, error }) => error?.message ?? type)).toEqual(sent.map(({ type }) => type))
})
