import { z } from 'zod'
import { id, resourceFields, text, timestamp } from './field.js'
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

/** The multipart form of an upload. */
export const TemporaryFileForm = z
  .strictObject({
    file: z
      .file()
      .describe(
        'The file to upload, including its name. Supported types: text, Markdown, CSV, JSON, HTML, PDF, DOCX, PNG, JPEG, GIF and WebP. The default size limit is 20 MiB.',
      ),
  })
  .meta({ id: 'TemporaryFileForm', description: 'The multipart form for uploading a file.' })

export const TemporaryFile = z
  .object({
    ...resourceFields,
    name: z.string().describe('The name of the uploaded file.'),
    contentType: z.string().describe('The media type, as detected from the content.'),
    sizeBytes: z.int().describe('The size of the file in bytes.'),
    expiresAt: timestamp().describe('When the file is deleted (UTC). By default, 24 hours after the upload.'),
  })
  .meta({
    id: 'TemporaryFile',
    description: 'A file that can be attached to questions as context. It is deleted after a limited time.',
  })

export const TemporaryFilePage = pageOf(TemporaryFile, 'TemporaryFile')

export const TemporaryFileListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return files whose name contains this text.'),
  ConversationId: id().optional().describe('Only return files of this conversation.'),
})

export type TemporaryFileListQuery = z.output<typeof TemporaryFileListQuery>
export type TemporaryFile = z.output<typeof TemporaryFile>
