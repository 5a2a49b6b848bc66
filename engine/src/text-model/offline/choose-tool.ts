import type { ModelTool } from '../text-model.js'
import { type Embedder, likeness } from './embedder.js'
import { meaningOf, spokenName } from './words.js'

export interface ToolMatch {
  readonly tool: ModelTool
  readonly score: number
}

/** Below this a tool is not what was meant. Measured on sentences for and beside the point. */
export const minToolScore = 0.5
/** What the likeness of sentences is taken to be where it cannot be measured. */
const assumedLikeness = 0.35
const wordWeight = 0.3

/** The tools by how well they fit what was said, the best first: by meaning, and by the words in common. */
export async function rankTools(
  embedder: Embedder,
  words: string,
  tools: readonly ModelTool[],
): Promise<readonly ToolMatch[]> {
  if (tools.length === 0) return []
  // What people say for it is far from what tools for it are called.
  const meant = words.replace(/\bremind (?:me|us)\b/i, 'create a task')
  const descriptions = tools.map(describe)
  const vectors = await embedder.embed([meant, ...descriptions.flat()])
  const [spoken, ...known] = vectors ?? []
  let next = 0
  return tools
    .map((tool, index) => {
      const own = known.slice(next, next + (descriptions[index]?.length ?? 0))
      next += own.length
      const meaning =
        spoken === undefined ? assumedLikeness : Math.max(...own.map((vector) => likeness(spoken, vector)))
      return { tool, score: meaning + wordWeight * wordsInCommon(meant, tool) }
    })
    .sort((a, b) => b.score - a.score)
}

function describe(tool: ModelTool): string[] {
  const firstSentences = tool.description.split(/(?<=[.!?:])\s+/).slice(0, 3)
  return [spokenName(tool.name), ...firstSentences].filter((text) => text.trim() !== '')
}

/**
 * 0 to 1: how much of the tool's name was said, how much of what was said is in its description, and whether what was
 * said begins with what the tool does. One word in common is not much.
 */
function wordsInCommon(words: string, tool: ModelTool): number {
  const said = meaningOf(words)
  const name = meaningOf(spokenName(tool.name))
  const all = meaningOf(`${spokenName(tool.name)} ${tool.description}`)
  const [first] = said
  const begins = first !== undefined && name.has(first) ? 1 : 0
  return 0.5 * share(name, said) + 0.25 * share(said, all) * Math.min(1, said.size / 2) + 0.25 * begins
}

function share(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0
  return [...part].filter((word) => whole.has(word)).length / part.size
}
