import { z } from 'zod'
import { answeredMoment, id, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'

/** The supported file types. */
export const temporaryFileTypes = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'text/html',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
] as const

export type TemporaryFileType = (typeof temporaryFileTypes)[number]

/** The form of an upload. */
export const TemporaryFileForm = z
  .strictObject({
    file: z
      .file()
      .describe(
        'The file with its name: text, Markdown, CSV, JSON, HTML, PDF, DOCX, PNG, JPEG, GIF or WebP. Default maximum: 20 MiB.',
      ),
  })
  .meta({ id: 'TemporaryFileForm', description: 'The body that uploads a file.' })

export const TemporaryFile = z
  .object({
    ...resourceFields,
    name: z.string().describe('The name of the uploaded file.'),
    contentType: z.string().describe('The media type, detected from the content.'),
    sizeBytes: z.int().describe('The size in bytes.'),
    expiresAt: answeredMoment().describe('When the file is removed (UTC). Default: a day after its upload.'),
  })
  .meta({
    id: 'TemporaryFile',
    description: 'A file that gives questions context, for a limited time.',
  })

export const TemporaryFilePage = pageOf(TemporaryFile, 'TemporaryFile')

export const TemporaryFileListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only files whose name contains this text.'),
  ConversationId: id().optional().describe('Only files of this conversation.'),
})

export type TemporaryFileListQuery = z.output<typeof TemporaryFileListQuery>
export type TemporaryFile = z.output<typeof TemporaryFile>
