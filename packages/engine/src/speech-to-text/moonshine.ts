import { recognitionRate } from '../audio/pcm.js'
import type { Moonshine } from './moonshine-model.js'
import { loadNativeMoonshine } from './moonshine-native.js'
import { loadPortableMoonshine } from './moonshine-portable.js'

/** The runtime of the recognizer: the native library if it loads (auto), or exactly one of the two. */
export type RuntimeChoice = 'auto' | 'native' | 'wasm'

/** Longer speech is transcribed in pieces, because the model was made for short ones. */
const maxSeconds = 28
/** Shorter audio contains no word, and the model's first layers need this much. */
const minSeconds = 0.1

export async function loadMoonshine(choice: RuntimeChoice): Promise<Moonshine> {
  const { runtime, transcribe } = await loadRuntime(choice)
  return {
    runtime,
    async transcribe(samples) {
      const texts: string[] = []
      for (const piece of pieces(samples)) texts.push(tidy(await transcribe(piece)))
      return texts.filter((words) => words !== '').join(' ')
    },
  }
}

async function loadRuntime(choice: RuntimeChoice): Promise<Moonshine> {
  if (choice === 'wasm') return loadPortableMoonshine()
  try {
    return await loadNativeMoonshine()
  } catch (error) {
    if (choice === 'native') throw error
    // Missing, or built for another platform. The slower runtime works in both cases, with lower quality.
    const { runtime, transcribe } = await loadPortableMoonshine()
    return { runtime: `${runtime}, without the native library: ${firstLine(error)}`, transcribe }
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]

/** The small model uses obsolete spellings for some words. */
function tidy(words: string): string {
  return words.replace(/\b(to)-(day|morrow|night)\b/gi, '$1$2').trim()
}

function pieces(samples: Float32Array): Float32Array[] {
  const length = maxSeconds * recognitionRate
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  ).filter((piece) => piece.length >= minSeconds * recognitionRate)
}
