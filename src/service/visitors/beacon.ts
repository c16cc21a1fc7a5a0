import { isbot } from "isbot";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { ProblemError } from "../http/problem.ts";
import type { SharedLimiter } from "../http/rate-limiter.ts";
import type { RequestContext } from "../http/request-context.ts";
import { checkSameOrigin, addressOf, readBody, type HttpRequest, type PlainResponse } from "../http/messages.ts";
import { parseBeaconMessage, recordLeave, recordView } from "../resources/beacon.ts";
import { inTransaction } from "../resources/context.ts";

// 50 clicks with long selectors.
const MAX_BYTES = 32 * 1024;

/**
 * Handles a message of the page script. Uncounted ones (a bot, a visitor who opted out, a deleted page) get the same
 * response.
 */
export async function receiveBeacon(
  core: Core,
  {
    request,
    requestContext,
    limiter,
  }: { readonly request: Request; readonly requestContext: RequestContext; readonly limiter: SharedLimiter },
): Promise<Response> {
  const address = addressOf(request, requestContext, core.settings);
  await limiter.count({ kind: "address", id: address }, core.now());
  checkSameOrigin(request, core.addresses);
  const bytes = await readBody(request, { maxBytes: MAX_BYTES, code: "body_too_large" });
  const message = parseBeaconMessage(new TextDecoder().decode(bytes));
  if (message === undefined) throw new ProblemError("malformed_body");
  const userAgent = request.headers.get("User-Agent") ?? "";
  const isBot = userAgent === "" || isbot(userAgent);
  if (!refusesCounting(request)) {
    await inTransaction(
      core.contextOf(core.account.id),
      (context) =>
        message.t === "leave"
          ? recordLeave(context, message)
          : recordView(context, message, { address, userAgent, isBot }),
      "shared",
    );
  }
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}

/** Whether the browser opts out of counting: Global Privacy Control or Do Not Track. */
export function refusesCounting({ headers }: Pick<HttpRequest, "headers">): boolean {
  return headers.get("Sec-GPC") === "1" || headers.get("DNT") === "1";
}

// The script for visitors' browsers. It is sent with every first view, so it is written compactly: `s` data attributes,
// `k` view id, `m` messages sent, `e` milliseconds visible, `u` visible since, `x` depth, `c` clicks, `l` last message.
// See `parseBeaconMessage` for the names it sends. It stores nothing in the browser.
const SCRIPT = `(function(d,w,n){
var s=d.currentScript.dataset,r=d.documentElement,k="",m=0,e=0,u=0,x=0,c=[],l,i;
if(n.globalPrivacyControl||n.doNotTrack=="1")return;
for(i=0;i<20;i++)k+=(Math.random()*36|0).toString(36);
function send(o){
o.v=+s.v;o.p=s.p;o.k=k;o.w=w.innerWidth;o=JSON.stringify(o);i=location.origin+"/_b";
n.sendBeacon&&n.sendBeacon(i,o)||fetch(i,{method:"POST",body:o,keepalive:true}).catch(function(){})
}
function height(){return Math.max(r.scrollHeight,d.body.scrollHeight,1)}
function scroll(){x=Math.max(x,Math.min(100,Math.round(100*(w.scrollY+w.innerHeight)/height())))}
function leave(){
var t=Date.now(),a;
if(u){e+=t-u;u=d.visibilityState=="visible"?t:0}
scroll();
a=[x,Math.round(e/1e3)];
if(c.length||a+""!=l){l=a+"";send({t:"leave",n:++m,s:a[0],e:a[1],h:height(),c:c.splice(0,50)})}
}
function path(g){
for(var p=[],b,j;g&&g!=d.body&&p.length<6;g=g.parentElement){
if(g.id){p.unshift("#"+CSS.escape(g.id));break}
for(b=g,j=1;b=b.previousElementSibling;)b.localName==g.localName&&j++;
p.unshift(g.localName+":nth-of-type("+j+")")
}
return p.join(">").slice(0,300)
}
function click(v){
var g=v.target,b,X=v.clientX,Y=v.clientY;
if(!v.isTrusted||!g.closest)return;
g=g.closest("a,button,input,select,textarea,label,summary")||g;
if(g.control)return;
if(!v.detail){b=g.getBoundingClientRect();X=b.left+b.width/2;Y=b.top+b.height/2}
c.push([Math.max(0,Math.min(1e3,Math.round(1e3*(X+w.scrollX)/r.scrollWidth))),Math.max(0,Math.round(Y+w.scrollY)),path(g)]);
c.length>49&&leave()
}
function start(){
try{i=new URL(d.referrer).host}catch(_){i=""}
send({t:"view",r:i==location.host?"":i,q:(location.search.match(/\\b(utm_(source|medium|campaign|term|content)|ref|source)=[^&]*/g)||[]).join("&").slice(0,2e3)});
u=d.visibilityState=="visible"?Date.now():0;
scroll();
d.addEventListener("click",click,true);
w.addEventListener("scroll",scroll,{passive:true});
w.addEventListener("pagehide",leave);
d.addEventListener("visibilitychange",function(){d.visibilityState=="visible"?u=Date.now():leave()})
}
d.prerendering?d.addEventListener("prerenderingchange",start,{once:true}):start()
})(document,window,navigator)
`;

const BYTES = new TextEncoder().encode(SCRIPT);
const ETAG = `"${sha256(BYTES)}"`;

/** Serves the script that counts views. */
export function serveBeaconScript(request: HttpRequest): PlainResponse {
  const headers = { "Cache-Control": "public, max-age=3600", ETag: ETAG };
  if (request.headers.get("If-None-Match") === ETAG) return { status: 304, headers, body: undefined };
  return {
    status: 200,
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8", "Content-Length": String(BYTES.length) },
    body: BYTES,
  };
}

/** Returns the element that loads the script and identifies the page. */
export function beaconElement({ id, version }: { readonly id: string; readonly version: number }): string {
  return `<script src="/_i.js" defer data-p="${id}" data-v="${version}"></script>`;
}

/** Returns where to insert the script; `undefined` if the page's policy doesn't allow it. */
export function findBeaconPlace(html: Uint8Array, { origin }: { readonly origin: string }): number | undefined {
  // Latin-1 keeps one character per byte, so that positions in the text are positions in the bytes.
  const text = Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString("latin1");
  const elements = text.match(ELEMENT) ?? [];
  if (hasForeignBase(elements) || !policiesOf(elements).every((policy) => isAllowed(policy, origin))) return undefined;
  return findBodyEnd(text);
}

const TAIL = 4000;
// A closing tag in a script or comment is followed by other content.
const BODY_END = /<\/body\s*>(?:\s|<!--(?:(?!-->)[^])*-->|<\/html\s*>)*$/i;

function findBodyEnd(text: string): number {
  const start = Math.max(0, text.length - TAIL);
  const found = text.slice(start).search(BODY_END);
  return found === -1 ? text.length : start + found;
}

// Neither element has `<` in its values, and a pattern that stops there is fast on any page.
const ELEMENT = /<(?:meta|base)\s[^<>]*>/gi;
const FOREIGN_BASE = /^<base\s.*?\bhref\s*=\s*(?:["']\s*)?(?:https?:)?\/\//is;
const POLICY = /^<meta\s.*?\bhttp-equiv\s*=\s*["']?content-security-policy\b/is;
const CONTENT = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

// Relative URLs of such a page point to another host, including the script's.
function hasForeignBase(elements: readonly string[]): boolean {
  return elements.some((element) => FOREIGN_BASE.test(element));
}

/** Returns the content security policies in a page's own HTML. */
function policiesOf(elements: readonly string[]): readonly string[] {
  return elements
    .filter((element) => POLICY.test(element))
    .map((element) => {
      const [, double, single] = CONTENT.exec(element) ?? [];
      return (double ?? single ?? "").replaceAll(/&(?:#39|#x27|apos);/gi, "'");
    });
}

function isAllowed(policy: string, origin: string): boolean {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.toLowerCase().split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    if (!directives.has(name)) directives.set(name, sources);
  }
  const find = (...names: readonly string[]) => names.map((name) => directives.get(name)).find((found) => found);
  const scripts = find("script-src-elem", "script-src", "default-src");
  const connections = find("connect-src", "default-src");
  return allowsOwn(scripts, origin) && allowsOwn(connections, origin) && scripts?.includes("'strict-dynamic'") !== true;
}

function allowsOwn(sources: readonly string[] | undefined, origin: string): boolean {
  return sources === undefined || ["'self'", "*", origin].some((source) => sources.includes(source));
}
