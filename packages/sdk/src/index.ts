export type * from './generated/index.js'
export {
  type ClientOptions,
  type CookieAccess,
  type KeyAccess,
  Parley,
  type ParleyOptions,
} from './parley.js'
export { ParleyError } from './parley-error.js'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from './rest/api-error.js'
export type { ApiPromise, ApiResult } from './rest/api-promise.js'
export type { ChangeStream } from './rest/change-stream.js'
export type { HeaderSource } from './rest/http-client.js'
export type { ListPromise } from './rest/list-promise.js'
export type { Page } from './rest/page.js'
export type {
  ChangeOptions,
  CreateOptions,
  DryRunOptions,
  FollowOptions,
  RequestOptions,
} from './rest/request-options.js'
export type { UploadProgress } from './rest/send-with-progress.js'
export type { TurnStream } from './rest/turn-stream.js'
export type { UploadInput, UploadOptions } from './rest/upload-file.js'
