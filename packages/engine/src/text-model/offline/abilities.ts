import type { ModelTool } from '../text-model.js'
import { isSubAgent, subAgentName } from './tool-kind.js'
import { joinWords, toolPhrase } from './words.js'

const maxNamed = 6

/** What it can do here, in words that follow "I can". */
export function abilitiesOf(tools: readonly ModelTool[], hasFiles: boolean): string {
  const named = tools
    .slice(0, maxNamed)
    .map((tool) => (isSubAgent(tool) ? `ask ${subAgentName(tool)}` : toolPhrase(tool.name)))
  const more = tools.length > maxNamed ? [`use ${tools.length - maxNamed} more tools`] : []
  const files = hasFiles ? ['answer from the files'] : []
  const own = ['work out sums, units and dates', 'remember what you tell me']
  return joinWords([...named, ...more, ...files, ...own])
}
