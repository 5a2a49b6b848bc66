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
    description: 'Files that are complete and have not expired.',
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
      'One file in the field `file`. Its type is detected from its content. A name or declared type that contradicts it is rejected with 415. The text is extracted before the answer, so that a question can use the file immediately. The file is removed at `expiresAt`.',
    scope: 'file:write',
    form: TemporaryFileForm,
    outcome: 'The metadata of the file.',
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
    summary: 'Read the metadata of a file',
    scope: 'file:read',
    params,
    outcome: 'The metadata of the file.',
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
    description: 'The content as it was uploaded, byte for byte.',
    scope: 'file:read',
    params,
    outcome: 'The content, streamed.',
    status: 200,
    streamed: temporaryFileTypes,
  }),
  deleteTemporaryFile: defineOperation({
    operationId: 'deleteTemporaryFile',
    method: 'DELETE',
    path: '/api/v1/TemporaryFile/{fileId}',
    tag,
    summary: 'Delete a file',
    description: 'Deletes the content as well. Conversations can no longer use the file.',
    scope: 'file:write',
    params,
    outcome: 'The file is deleted. The answer has no body.',
    status: 204,
    isConditional: true,
  }),
}
