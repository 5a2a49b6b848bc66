import { toBase64 } from '../audio/pcm.js'

/** A picture: a file, or its data URL. */
export type VoiceImage = Blob | string

/** The bytes of a message without the picture. */
const roomBytes = 1024
const sizes = [1600, 1024, 768, 512, 320] as const
const quality = 0.75

/** Returns the picture as a data URL that fits into one message. A browser shrinks it if necessary. */
export async function fitImage(image: VoiceImage, maxMessageBytes: number): Promise<string> {
  const fits = (url: string) => url.length + roomBytes <= maxMessageBytes
  const url = typeof image === 'string' ? image : await toDataUrl(image)
  if (fits(url)) return url
  if (typeof createImageBitmap === 'function' && typeof OffscreenCanvas === 'function') {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    for (const size of sizes) {
      const smaller = await toDataUrl(await draw(bitmap, size))
      if (fits(smaller)) return smaller
    }
  }
  throw new RangeError(
    `The picture is too large for a message of ${maxMessageBytes} bytes. Use a smaller one.`,
  )
}

function draw(bitmap: ImageBitmap, size: number): Promise<Blob> {
  const scale = Math.min(1, size / Math.max(bitmap.width, bitmap.height))
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

async function toDataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return `data:${blob.type === '' ? 'image/jpeg' : blob.type};base64,${toBase64(bytes)}`
}
