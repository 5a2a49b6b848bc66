/** The chunk that says how large the picture is, one pixel by one, with its checksum. */
const header = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c489'.replace(' ', ''),
  'hex',
)

/** As many bytes as asked for that begin as a PNG does: no text is looked for in them. */
export function largePicture(bytes: number): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(new ArrayBuffer(bytes))
  picture.set(header)
  new DataView(picture.buffer).setUint32(header.length, Math.max(0, bytes - header.length - 12))
  picture.set(Buffer.from('IDAT'), header.length + 4)
  return picture
}
