// Generated automatically by nearley, version 2.20.1
// http://github.com/Hardmath123/nearley
// Bypasses TS6133. Allow declared but unused functions.
// @ts-ignore
function id(d: any[]): any { return d[0]; }
declare var or: any;
declare var and: any;
declare var except: any;
declare var open: any;
declare var close: any;
declare var has: any;
declare var path: any;
declare var equality: any;
declare var order: any;
declare var matches: any;
declare var string: any;
declare var contains: any;
declare var constant: any;
declare var number: any;

import * as ast from '../src/query/ast.ts'
import { lexer } from '../src/query/lexer.ts'

interface NearleyToken {
  value: any;
  [key: string]: any;
};

interface NearleyLexer {
  reset: (chunk: string, info: any) => void;
  next: () => NearleyToken | undefined;
  save: () => any;
  formatError: (token: never) => string;
  has: (tokenType: string) => boolean;
};

interface NearleyRule {
  name: string;
  symbols: NearleySymbol[];
  postprocess?: (d: any[], loc?: number, reject?: {}) => any;
};

type NearleySymbol = string | { literal: any } | { test: (token: any) => boolean };

interface Grammar {
  Lexer: NearleyLexer | undefined;
  ParserRules: NearleyRule[];
  ParserStart: string;
};

const grammar: Grammar = {
  Lexer: lexer,
  ParserRules: [
    {"name": "query", "symbols": ["union"], "postprocess": id},
    {"name": "union", "symbols": ["union", (lexer.has("or") ? {type: "or"} : or), "intersection"], "postprocess": ([left, , right]) => ast.combine('or', left, right)},
    {"name": "union", "symbols": ["intersection"], "postprocess": id},
    {"name": "intersection", "symbols": ["intersection", (lexer.has("and") ? {type: "and"} : and), "difference"], "postprocess": ([left, , right]) => ast.combine('and', left, right)},
    {"name": "intersection", "symbols": ["difference"], "postprocess": id},
    {"name": "difference", "symbols": ["difference", (lexer.has("except") ? {type: "except"} : except), "condition"], "postprocess": ([left, , right]) => ast.combine('except', left, right)},
    {"name": "difference", "symbols": ["condition"], "postprocess": id},
    {"name": "condition", "symbols": [(lexer.has("open") ? {type: "open"} : open), "query", (lexer.has("close") ? {type: "close"} : close)], "postprocess": ([open, query, close]) => ast.group(open, query, close)},
    {"name": "condition", "symbols": [(lexer.has("has") ? {type: "has"} : has), (lexer.has("path") ? {type: "path"} : path)], "postprocess": ([has, path]) => ast.has(has, path)},
    {"name": "condition", "symbols": [(lexer.has("path") ? {type: "path"} : path), (lexer.has("equality") ? {type: "equality"} : equality), "value"], "postprocess": ([path, op, value]) => ast.compare(path, op, value)},
    {"name": "condition", "symbols": [(lexer.has("path") ? {type: "path"} : path), (lexer.has("order") ? {type: "order"} : order), "ordered"], "postprocess": ([path, op, value]) => ast.compare(path, op, value)},
    {"name": "condition", "symbols": [(lexer.has("path") ? {type: "path"} : path), (lexer.has("matches") ? {type: "matches"} : matches), (lexer.has("string") ? {type: "string"} : string)], "postprocess": ([path, , text]) => ast.matches(path, text)},
    {"name": "condition", "symbols": [(lexer.has("path") ? {type: "path"} : path), (lexer.has("contains") ? {type: "contains"} : contains), (lexer.has("string") ? {type: "string"} : string)], "postprocess": ([path, , text]) => ast.contains(path, text)},
    {"name": "value", "symbols": ["ordered"], "postprocess": id},
    {"name": "value", "symbols": [(lexer.has("constant") ? {type: "constant"} : constant)], "postprocess": ([token]) => ast.constant(token)},
    {"name": "ordered", "symbols": [(lexer.has("number") ? {type: "number"} : number)], "postprocess": ([token]) => ast.number(token)},
    {"name": "ordered", "symbols": [(lexer.has("string") ? {type: "string"} : string)], "postprocess": ([token]) => ast.string(token)}
  ],
  ParserStart: "query",
};

export default grammar;
