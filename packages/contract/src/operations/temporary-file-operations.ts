import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import {
  TemporaryFile,
  TemporaryFileForm,
  TemporaryFileListQuery,
  TemporaryFilePage,
  temporaryFileTypes,
} from '../temporary-file.js'

const tag = 'TemporaryFile'
const params = z.strictObject({ fileId: id().describe('The id of the file.') })

export const temporaryFileOperations = {
  listTemporaryFiles: defineOperation({
    operationId: 'listTemporaryFiles',
    method: 'GET',
    path: '/api/v1/TemporaryFile',
    tag,
    summary: 'List files',
    description: 'Those that are complete and have not expired.',
    scope: 'file:read',
    query: TemporaryFileListQuery,
    outcome: 'One page of the files.',
    status: 200,
    answer: TemporaryFilePage,
  }),
  createTemporaryFile: defineOperation({
    operationId: 'createTemporaryFile',
    method: 'POST',
    path: '/api/v1/TemporaryFile',
    tag,
    summary: 'Upload a file',
    description:
      'One file in the field `file`. What it is is seen by its contents; a name or declared type that says otherwise is refused with 415. Its text is read before the answer, so it can be given to a question at once. It is removed at `expiresAt`.',
    scope: 'file:write',
    form: TemporaryFileForm,
    outcome: 'What is known of the file.',
    status: 201,
    answer: TemporaryFile,
    hasETag: true,
    refusals: ['TooLarge', 'UnsupportedMediaType', 'Unavailable'],
  }),
  getTemporaryFile: defineOperation({
    operationId: 'getTemporaryFile',
    method: 'GET',
    path: '/api/v1/TemporaryFile/{fileId}',
    tag,
    summary: 'Read what is known of a file',
    scope: 'file:read',
    params,
    outcome: 'What is known of the file.',
    status: 200,
    answer: TemporaryFile,
    hasETag: true,
  }),
  getTemporaryFileContent: defineOperation({
    operationId: 'getTemporaryFileContent',
    method: 'GET',
    path: '/api/v1/TemporaryFile/{fileId}/content',
    tag,
    summary: 'Download a file',
    description: 'The contents as they were uploaded, byte for byte.',
    scope: 'file:read',
    params,
    outcome: 'The contents, streamed as they are read.',
    status: 200,
    streamed: temporaryFileTypes,
  }),
  deleteTemporaryFile: defineOperation({
    operationId: 'deleteTemporaryFile',
    method: 'DELETE',
    path: '/api/v1/TemporaryFile/{fileId}',
    tag,
    summary: 'Delete a file',
    description: 'With its contents, before its time. Conversations that it was given to have it no more.',
    scope: 'file:write',
    params,
    outcome: 'The file is deleted; there is no body.',
    status: 204,
    isConditional: true,
  }),
}
