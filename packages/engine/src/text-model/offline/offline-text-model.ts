import type { TextModel } from '../text-model.js'
import type { OfflineModel } from './offline-model.js'

const charactersPerToken = 4

/** The offline model as a session's text model. Its answers are short and come at once. */
export function offlineTextModel(model: OfflineModel, owner = ''): TextModel {
  return {
    prepare: () => model.prepare(),
    async respond({ messages, tools, toolChoice, maxOutputTokens, onText, signal }) {
      const { text, calls } = await model.step({ messages, tools, toolChoice, owner })
      const maxCharacters = maxOutputTokens === null ? text.length : maxOutputTokens * charactersPerToken
      if (!signal.aborted) onText(text.slice(0, maxCharacters))
      return { ok: true, calls, usage: null, isCutOff: text.length > maxCharacters }
    },
  }
}
