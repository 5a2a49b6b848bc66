import { recognitionRate } from '../audio/pcm.js'
import type { Moonshine } from './moonshine-model.js'
import { loadNativeMoonshine } from './moonshine-native.js'
import { loadPortableMoonshine } from './moonshine-portable.js'

/** What runs the recogniser: the native library where that loads (auto), or one of the two and nothing else. */
export type RuntimeChoice = 'auto' | 'native' | 'wasm'

/** Longer speech is transcribed in pieces: the model was made for short ones. */
const maxSeconds = 28
/** There is no word in less, and the model's first layers need as much. */
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
    // Absent, or built for another machine: either way the slower one does the same, only not as well.
    const { runtime, transcribe } = await loadPortableMoonshine()
    return { runtime: `${runtime}, without the native library: ${firstLine(error)}`, transcribe }
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]

/** The small model writes some words as they were written a hundred years ago. */
function tidy(words: string): string {
  return words.replace(/\b(to)-(day|morrow|night)\b/gi, '$1$2').trim()
}

function pieces(samples: Float32Array): Float32Array[] {
  const length = maxSeconds * recognitionRate
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  ).filter((piece) => piece.length >= minSeconds * recognitionRate)
}
