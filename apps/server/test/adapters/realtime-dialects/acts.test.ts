import { GeminiDialect } from '#server/adapters/gemini-live/gemini-dialect.js'
import { LiveDialect } from '#server/adapters/openai-live/live-dialect.js'
import { makeBetaNames } from '#server/adapters/openai-realtime/dialects/beta-names.js'
import { makeGrokVoice } from '#server/adapters/openai-realtime/dialects/grok-voice.js'
import { makeQwenOmni } from '#server/adapters/openai-realtime/dialects/qwen-omni.js'
import { makeVoiceLive } from '#server/adapters/openai-realtime/dialects/voice-live.js'
import {
  type ActingProvider,
  describeActs,
  requestsWithSettings,
} from '../../support/realtime/dialects/dialect-acts.js'
import type { ProviderPeer } from '../../support/realtime/dialects/dialect-run.js'
import { GeminiServer } from '../../support/realtime/dialects/gemini-server.js'
import { serveLive } from '../../support/realtime/dialects/live-server.js'
import { SimilarServer, type SimilarVendor } from '../../support/realtime/dialects/similar-server.js'
import {
  betaServer,
  grokVoice,
  qwenOmni,
  voiceLive,
} from '../../support/realtime/dialects/similar-vendors.js'

function playGemini(peer: ProviderPeer): ActingProvider {
  const gemini = new GeminiServer(peer)
  return {
    receive: (message) => gemini.receive(message),
    lose: () => gemini.lose(),
    errors: gemini.errors,
    get asked() {
      return gemini.texts.length
    },
    get outputCount() {
      return gemini.outputs.length
    },
    async hear(run, words) {
      gemini.hear(words)
      await run.settle()
    },
    async answer(run, words) {
      gemini.answer(words)
      await run.settle()
    },
    async call(run, ids) {
      gemini.call(...ids.map((id) => ({ id, name: 'clock' })))
      await run.settle()
    },
    continueAfterOutputs: (run) => run.settle(),
  }
}

/** GPT-Live sends audio all the time, also silence. */
function playLive({ send, close }: ProviderPeer): ActingProvider {
  let receive: (data: unknown) => void = () => undefined
  const live = serveLive({
    send,
    socket: {
      on: (_, listener) => {
        receive = listener
      },
      close: (code) => close(code, ''),
    },
  })
  const play = async (run: Parameters<ActingProvider['hear']>[0], frames: number, isLoud: boolean) => {
    for (let frame = 0; frame < frames; frame += 1) {
      if (isLoud) live.speak(1)
      else live.beQuiet(1)
      await run.pass(100)
    }
  }
  return {
    receive: (message) => receive(JSON.stringify(message)),
    lose: () => undefined,
    errors: live.errors,
    get asked() {
      return live.items.filter(({ type }) => type === 'message').length
    },
    get outputCount() {
      return live.items.filter(({ type }) => type === 'function_call_output').length
    },
    async hear(run, words) {
      await play(run, 2, false)
      live.hearWords(words)
      await play(run, 10, false)
    },
    async answer(run, words) {
      await play(run, 2, true)
      live.sayWords(words)
      await play(run, 2, true)
      await play(run, 14, false)
    },
    async call(run, ids) {
      live.delegate(...ids.map((id) => ({ id, name: 'clock' })))
      await run.settle()
      live.finishDelegation()
      await play(run, 2, false)
    },
    continueAfterOutputs: (run) => play(run, 2, false),
  }
}

const playSimilar =
  (vendor: SimilarVendor) =>
  (peer: ProviderPeer): ActingProvider => {
    const server = new SimilarServer(peer, vendor)
    return {
      receive: (message) => server.receive(message),
      lose: () => server.lose(),
      errors: server.errors,
      get asked() {
        return server.requested
      },
      get outputCount() {
        return server.outputCount
      },
      async hear(run, words) {
        server.hear(words)
        await run.settle()
      },
      async answer(run, words) {
        server.answer(words)
        await run.settle()
      },
      async call(run, ids) {
        server.call(...ids.map((id) => ({ id, name: 'clock' })))
        await run.settle()
      },
      continueAfterOutputs: (run) => run.settle(),
    }
  }

const textOnly = { type: 'response.create', response: { output_modalities: ['text'] } }
const unsupported = [
  ...[{ type: 'conversation.item.delete', item_id: 'x' }, { type: 'input_audio_buffer.clear' }],
  ...[textOnly, ...requestsWithSettings],
]

describeActs({
  ...{ name: 'Gemini 3.8', model: 'gemini-3.8-live', voice: 'Puck', play: playGemini },
  unsupported,
  makeDialect: (...parts) => new GeminiDialect(...parts),
})

describeActs({
  ...{ name: 'Gemini 2.5', model: 'gemini-2.5-flash-native-audio-latest', voice: 'Puck', play: playGemini },
  unsupported,
  makeDialect: (...parts) => new GeminiDialect(...parts),
})

describeActs({
  ...{ name: 'GPT-Live', model: 'gpt-live-1', voice: 'alloy', play: playLive },
  unsupported: [...unsupported, { type: 'input_audio_buffer.commit' }],
  makeDialect: (output, opening) =>
    new LiveDialect({ output, opening, backendModel: 'gpt-5-mini', wallTime: () => Date.now() }),
})

describeActs({
  ...{ name: 'xAI', model: 'grok-voice-latest', voice: 'ara', makeSimilar: makeGrokVoice },
  ...{ play: playSimilar(grokVoice), unsupported: [textOnly] },
})

describeActs({
  ...{ name: 'Voice Live', model: 'gpt-realtime', voice: 'alloy', makeSimilar: makeVoiceLive },
  ...{ play: playSimilar(voiceLive), unsupported: [] },
})

describeActs({
  ...{ name: 'Qwen', model: 'qwen3.8-omni-flash-realtime', voice: 'Tina', makeSimilar: makeQwenOmni },
  play: playSimilar(qwenOmni),
  unsupported: [{ type: 'conversation.item.delete', item_id: 'x' }, ...requestsWithSettings],
})

describeActs({
  ...{ name: 'a server with the names of the beta', model: 'a-model', voice: 'alloy' },
  ...{ makeSimilar: makeBetaNames, play: playSimilar(betaServer), unsupported: [] },
})
