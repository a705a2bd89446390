import path from 'node:path'

/** Where processes of tests keep the program compiled, as those of `npm start`: not each compiles it anew. */
export const NODE_COMPILE_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/node')
