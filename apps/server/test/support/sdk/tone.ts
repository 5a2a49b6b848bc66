const rate = 24_000

/** A tone that is never silent for long, so that what was played can be told from what was not: pcm16 at 24 kHz. */
export function tone(milliseconds: number): Buffer {
  const samples = Int16Array.from({ length: (rate * milliseconds) / 1000 }, (_, place) =>
    Math.round(8000 * Math.sin((place * 2 * Math.PI * 440) / rate)),
  )
  return Buffer.from(samples.buffer)
}

/**
 * What arrives of the tone from a browser's microphone is louder than this. A browser takes for noise what goes on: within
 * two seconds it leaves a tenth of it, 860 of 8000.
 */
export const heardTone = 400

/** A piece of an answer's sound. */
export const sounded = (itemId: string, milliseconds: number, responseId = `response of ${itemId}`) => ({
  type: 'response.output_audio.delta',
  response_id: responseId,
  item_id: itemId,
  output_index: 0,
  content_index: 0,
  delta: tone(milliseconds).toString('base64'),
})
