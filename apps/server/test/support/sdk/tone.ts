const rate = 24_000

/**
 * Returns a 440 Hz tone as pcm16 at 24 kHz. The tone has no silent stretches, so tests can tell played from
 * missing samples.
 */
export function tone(milliseconds: number): Buffer {
  const samples = Int16Array.from({ length: (rate * milliseconds) / 1000 }, (_, place) =>
    Math.round(8000 * Math.sin((place * 2 * Math.PI * 440) / rate)),
  )
  return Buffer.from(samples.buffer)
}

/**
 * The tone arrives from a browser's microphone louder than this. Browsers suppress steady sounds as noise:
 * within two seconds the amplitude drops from 8000 to 860.
 */
export const minToneAmplitude = 400

/** One audio delta of a response. */
export const audioDelta = (itemId: string, milliseconds: number, responseId = `response of ${itemId}`) => ({
  type: 'response.output_audio.delta',
  response_id: responseId,
  item_id: itemId,
  output_index: 0,
  content_index: 0,
  delta: tone(milliseconds).toString('base64'),
})
