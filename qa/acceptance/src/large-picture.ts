/** The PNG header chunk with its checksum: a picture of one pixel by one. */
const header = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c489'.replace(' ', ''),
  'hex',
)

/** Returns this many bytes that begin like a PNG, so that the service does not extract text from them. */
export function largePicture(bytes: number): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(new ArrayBuffer(bytes))
  picture.set(header)
  new DataView(picture.buffer).setUint32(header.length, Math.max(0, bytes - header.length - 12))
  picture.set(Buffer.from('IDAT'), header.length + 4)
  return picture
}
