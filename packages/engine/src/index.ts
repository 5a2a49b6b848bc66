export { encodeMuLaw } from './audio/g711.js'
export { type AudioClip, bytesFromSamples, samplesFromBytes } from './audio/pcm.js'
export { resampleClip } from './audio/resampler.js'
export { fromWav, toWav } from './audio/wav.js'
export type { Outcome } from './runtime/outcome.js'
export type { OutsideService } from './runtime/outside-service.js'
export { likeness, startEmbedder } from './sentence-model/embedder.js'
export { openAiTranscriptions } from './speech-to-text/openai-transcriptions.js'
export type { SpeechToText } from './speech-to-text/speech-to-text.js'
export { type Engine, type EngineOptions, startEngine } from './start-engine.js'
export { chatMessages } from './text-model/chat-messages.js'
export { openAiChat } from './text-model/openai-chat.js'
export type {
  ModelAnswer,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelUsage,
  TextModel,
  ToolChoice,
} from './text-model/text-model.js'
export { openAiSpeech } from './text-to-speech/openai-speech.js'
export type { TextToSpeech } from './text-to-speech/text-to-speech.js'
export { type EngineWorkers, startEngineWorkers } from './workers/engine-workers.js'
