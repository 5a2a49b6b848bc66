import { makeDemoModel } from '@parley/demo-model'
import type { TextModel } from './text-model.js'

const charactersPerToken = 4

/** Adapts the demo model to the text model port. It responds immediately. */
export function demoTextModel(): TextModel {
  const model = makeDemoModel()
  return {
    async respond({ messages, tools, toolChoice, maxOutputTokens, onText, signal }) {
      const { text, calls } = model.step({ messages, tools, toolChoice })
      const maxCharacters = maxOutputTokens === null ? text.length : maxOutputTokens * charactersPerToken
      if (!signal.aborted) onText(text.slice(0, maxCharacters))
      return { ok: true, calls, usage: null, isCutOff: text.length > maxCharacters }
    },
  }
}
