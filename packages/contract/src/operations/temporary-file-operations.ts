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
const params = z.strictObject({ fileId: id().describe('The ID of the file.') })

export const temporaryFileOperations = {
  listTemporaryFiles: defineOperation({
    operationId: 'listTemporaryFiles',
    method: 'GET',
    path: '/api/v1/TemporaryFile',
    tag,
    summary: 'List files',
    description: 'Returns the files whose upload is complete and which have not expired.',
    scope: 'file:read',
    query: TemporaryFileListQuery,
    outcome: 'One page of the files.',
    status: 200,
    response: TemporaryFilePage,
  }),
  createTemporaryFile: defineOperation({
    operationId: 'createTemporaryFile',
    method: 'POST',
    path: '/api/v1/TemporaryFile',
    tag,
    summary: 'Upload a file',
    description:
      'Uploads one file in the form field `file`. The type is detected from the content. If it does not match the file name or the declared type, the request is rejected with 415. The text is extracted before the response is sent, so that questions can use the file immediately. The file is deleted at `expiresAt`.',
    scope: 'file:write',
    form: TemporaryFileForm,
    outcome: 'The metadata of the file.',
    status: 201,
    response: TemporaryFile,
    hasETag: true,
    errors: ['TooLarge', 'UnsupportedMediaType', 'Unavailable'],
  }),
  getTemporaryFile: defineOperation({
    operationId: 'getTemporaryFile',
    method: 'GET',
    path: '/api/v1/TemporaryFile/{fileId}',
    tag,
    summary: 'Retrieve the metadata of a file',
    scope: 'file:read',
    params,
    outcome: 'The metadata of the file.',
    status: 200,
    response: TemporaryFile,
    hasETag: true,
  }),
  getTemporaryFileContent: defineOperation({
    operationId: 'getTemporaryFileContent',
    method: 'GET',
    path: '/api/v1/TemporaryFile/{fileId}/content',
    tag,
    summary: 'Download a file',
    description: 'Returns the content of the file exactly as it was uploaded.',
    scope: 'file:read',
    params,
    outcome: 'The content of the file as a stream.',
    status: 200,
    streamed: temporaryFileTypes,
  }),
  deleteTemporaryFile: defineOperation({
    operationId: 'deleteTemporaryFile',
    method: 'DELETE',
    path: '/api/v1/TemporaryFile/{fileId}',
    tag,
    summary: 'Delete a file',
    description: 'Deletes the file and its content. Conversations can no longer use the file.',
    scope: 'file:write',
    params,
    outcome: 'The file was deleted. The response has no body.',
    status: 204,
    isConditional: true,
  }),
}
