import { sha256 } from "../../base/hash.ts";
import type { PlainResponse } from "../http/response.ts";
import type { HttpRequest } from "../http/request.ts";

// What runs in a visitor's browser. It is sent with every first view, so it is written short: `s` data of its own
// element, `k` the view, `m` messages sent, `e` milliseconds of looking, `u` since when, `x` depth, `c` clicks, `l` the
// last message. See `parseBeaconMessage` for the names of what it sends. Nothing is stored in the browser.
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
send({t:"view",r:i==location.host?"":i});
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

/** The script that pages load to be counted. */
export function serveBeaconScript(request: HttpRequest): PlainResponse {
  const headers = { "Cache-Control": "public, max-age=3600", ETag: ETAG };
  if (request.headers.get("If-None-Match") === ETAG) return { status: 304, headers, body: undefined };
  return {
    status: 200,
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8", "Content-Length": String(BYTES.length) },
    body: BYTES,
  };
}

/** The element that loads the script; it tells it which page it is on. */
export function beaconElement({ id, version }: { readonly id: string; readonly version: number }): string {
  return `<script src="/_i.js" defer data-p="${id}" data-v="${version}"></script>`;
}
