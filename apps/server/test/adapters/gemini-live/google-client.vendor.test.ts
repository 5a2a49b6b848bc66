import { expect, test } from 'vitest'
import { serveGemini } from '../../support/realtime/dialects/gemini-sessions.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { loadVendorClient } from '../../support/vendor-client.js'

interface LiveMessage {
  readonly setupComplete?: object
  readonly serverContent?: {
    readonly inputTranscription?: { readonly text?: string }
    readonly outputTranscription?: { readonly text?: string }
    readonly turnComplete?: boolean
  }
  readonly toolCall?: { readonly functionCalls?: readonly { readonly id?: string; readonly name?: string }[] }
  readonly usageMetadata?: { readonly promptTokenCount?: number }
}

interface GoogleClient {
  readonly GoogleGenAI: new (
    options: object,
  ) => {
    readonly live: {
      connect(options: {
        readonly model: string
        readonly config: object
        readonly callbacks: {
          readonly onmessage: (message: LiveMessage) => void
          readonly onerror: (error: unknown) => void
        }
      }): Promise<{
        readonly setupComplete?: object
        sendRealtimeInput(input: object): void
        sendClientContent(content: object): void
        sendToolResponse(response: object): void
        close(): void
      }>
    }
  }
}

const config = {
  responseModalities: ['AUDIO'],
  speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
  systemInstruction: 'Be brief.',
  tools: [
    {
      functionDeclarations: [
        {
          ...{ name: 'clock', description: 'Tells the time.' },
          parameters: { type: 'OBJECT', properties: { zone: { type: 'STRING' } } },
        },
      ],
    },
  ],
  inputAudioTranscription: {},
  outputAudioTranscription: {},
  sessionResumption: {},
  contextWindowCompression: { slidingWindow: {} },
}

test('Google’s own client holds a session with the scripted Gemini [RT-64]', async () => {
  const { GoogleGenAI } = loadVendorClient<GoogleClient>('@google/genai')
  const provider = await startScriptedProvider()
  const { origin } = new URL(provider.baseUrl)
  const messages: LiveMessage[] = []
  const errors: unknown[] = []
  const connecting = new GoogleGenAI({ apiKey: 'secret', httpOptions: { baseUrl: origin } }).live.connect({
    ...{ model: 'gemini-3.8-live', config },
    callbacks: {
      onmessage: (message) => messages.push(message),
      onerror: (error) => errors.push(error),
    },
  })
  const socket = await provider.accept()
  const gemini = serveGemini(socket)
  const session = await connecting
  const contents = () => messages.flatMap(({ serverContent }) => serverContent ?? [])
  const turns = () => contents().filter(({ turnComplete }) => turnComplete).length

  expect(socket.request.url).toMatch(/\/ws\/google\.ai\.generativelanguage\.v1beta\.\w+\.BidiGenerateContent/)
  await expect.poll(() => gemini.setup, patiently).toMatchObject({ model: 'models/gemini-3.8-live' })
  // Our setup has the same fields.
  expect(Object.keys(gemini.setup ?? {}).sort()).toEqual([
    ...['contextWindowCompression', 'generationConfig', 'inputAudioTranscription', 'model'],
    ...['outputAudioTranscription', 'sessionResumption', 'systemInstruction', 'tools'],
  ])

  const data = Buffer.alloc(3200).toString('base64')
  session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } })
  await expect.poll(() => gemini.heard.length, patiently).toBe(1600)
  gemini.hear(' What time is it?')
  gemini.call({ id: 'call-1', name: 'clock' })
  await expect
    .poll(() => messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? []), patiently)
    .toMatchObject([{ id: 'call-1', name: 'clock' }])
  const response = { output: 'noon' }
  session.sendToolResponse({ functionResponses: [{ id: 'call-1', name: 'clock', response }] })
  await expect.poll(() => gemini.outputs, patiently).toMatchObject([{ id: 'call-1', response }])
  gemini.answer('It is noon.')
  await expect.poll(turns, patiently).toBe(1)
  session.sendRealtimeInput({ text: 'Thank you.' })
  await expect.poll(() => gemini.texts, patiently).toEqual(['Thank you.'])
  gemini.answer('With pleasure.')
  await expect.poll(turns, patiently).toBe(2)

  const words = contents().map(({ inputTranscription, outputTranscription }) =>
    [inputTranscription?.text, outputTranscription?.text].join(''),
  )
  expect(words.join('')).toBe(' What time is it?It is noon.With pleasure.')
  expect(messages.flatMap(({ usageMetadata }) => usageMetadata?.promptTokenCount ?? [])).toEqual([626, 626])
  expect([errors, gemini.errors]).toEqual([[], []])
  session.close()
  await socket.inbox.closed
})

test('Google’s own client uses the address, the sign-in and the model’s name of Vertex AI [CON-8]', async () => {
  const { GoogleGenAI } = loadVendorClient<GoogleClient>('@google/genai')
  const provider = await startScriptedProvider()
  const { origin } = new URL(provider.baseUrl)
  const authorization = 'Bearer a-token'
  const connecting = new GoogleGenAI({
    ...{ vertexai: true, project: 'my-project', location: 'us-central1' },
    httpOptions: { baseUrl: origin, apiVersion: 'v1' },
    googleAuthOptions: { authClient: { getRequestHeaders: async () => new Headers({ authorization }) } },
  }).live.connect({
    ...{ model: 'gemini-live-2.5-flash', config: { responseModalities: ['AUDIO'] } },
    callbacks: { onmessage: () => undefined, onerror: () => undefined },
  })
  const { request, ...socket } = await provider.accept()
  const gemini = serveGemini({ request, ...socket })
  const session = await connecting
  // The client adds a slash to the address.
  expect(request.url).toBe('//ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent')
  expect(request.headers.authorization).toBe(authorization)
  expect(gemini.setup?.model).toBe(
    'projects/my-project/locations/us-central1/publishers/google/models/gemini-live-2.5-flash',
  )
  expect(session.setupComplete).toEqual({ sessionId: 'a-session' })
  session.close()
})
