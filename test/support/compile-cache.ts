import path from 'node:path'

/**
 * The folder of compiled code that all processes of tests share, like the processes of `npm start`, so that not
 * each of them compiles the program.
 */
export const NODE_COMPILE_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/node')
