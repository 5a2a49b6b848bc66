import { z } from 'zod'
import { answeredMoment, id, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'

/** The types of files that are taken. */
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

/** The form that a file is uploaded with. */
export const TemporaryFileForm = z
  .strictObject({
    file: z
      .file()
      .describe(
        'The file, with its name: text, Markdown, CSV, JSON, HTML, PDF, DOCX, PNG, JPEG, GIF or WebP; at most 20 MiB, unless the deployment says otherwise.',
      ),
  })
  .meta({ id: 'TemporaryFileForm', description: 'A file to be uploaded.' })

export const TemporaryFile = z
  .object({
    ...resourceFields,
    name: z.string().describe('The name it was uploaded under.'),
    contentType: z.string().describe('What it is, by its contents rather than by its name.'),
    sizeBytes: z.int().describe('How long it is.'),
    expiresAt: answeredMoment().describe(
      'When it is removed (UTC): a day after its upload, unless the deployment says otherwise.',
    ),
  })
  .meta({
    id: 'TemporaryFile',
    description: 'A file that can be given to a question as context, for a while.',
  })

export const TemporaryFilePage = pageOf(TemporaryFile, 'TemporaryFile')

export const TemporaryFileListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only files whose name holds this text.'),
  ConversationId: id().optional().describe('Only files that this conversation was given.'),
})

export type TemporaryFileListQuery = z.output<typeof TemporaryFileListQuery>
export type TemporaryFile = z.output<typeof TemporaryFile>
