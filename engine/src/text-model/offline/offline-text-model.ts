import type { TextModel } from '../text-model.js'
import type { OfflineModel } from './offline-model.js'

/** The offline model as what thinks in a session. Its answers are short and come at once. */
export function offlineTextModel(model: OfflineModel): TextModel {
  return {
    async respond({ messages, tools, toolChoice, onText, signal }) {
      const { text, calls } = await model.step({ messages, tools, toolChoice })
      if (!signal.aborted) onText(text)
      return { outcome: 'answered', calls, usage: null, isCutOff: false }
    },
  }
}
