"""The symbols that the documentation of a module shows, for Scripts/docs and Scripts/sizes.

The compiler writes them as symbol graphs, JSON from which `docc` makes a page for each symbol: public
declarations, in extensions of other modules' types, too, without those that are marked
`@_documentation(visibility: internal)`, are nested in a type marked so, or extend one. Copies that a type
inherits from a protocol extension are not among them. Nor are declarations that only the compiler wrote, such
as the `init(rawValue:)` of an enumeration: they are removed here, because they have no documentation.
"""

import json
import shutil
import subprocess

EXTENSION = "swift.extension"


def library_modules(description):
    """The modules of the package's libraries below Sources, with the public ones that each depends on."""
    names = {target for product in description["products"]
             if "library" in product["type"] for target in product["targets"]}
    targets = [target for target in description["targets"]
               if target["name"] in names and target["path"].startswith("Sources/")]
    return {target["c99name"]: [name for name in target.get("target_dependencies", [])
                                if name in names] for target in targets}


def describe(root):
    """The package, as `swift package describe` prints it."""
    return json.loads(subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=root, check=True,
        stdout=subprocess.PIPE).stdout)


def target_triple():
    text = subprocess.run(["swiftc", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(text)["target"]["unversionedTriple"]


def extract(root, binaries, modules, folder):
    """Writes the symbol graphs of modules that were built into `binaries`, each in a folder of its own."""
    imports = [binaries / "Modules", *sorted((root / "Sources/System").iterdir())]
    flags = [flag for path in imports for flag in ("-I", str(path))]
    triple = target_triple()
    for module in modules:
        graphs = folder / module
        shutil.rmtree(graphs, ignore_errors=True)
        graphs.mkdir(parents=True)
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple, *flags,
             "-output-dir", str(graphs), "-minimum-access-level", "public",
             "-skip-synthesized-members", "-emit-extension-block-symbols"], check=True)
        for file in graphs.iterdir():
            graph = json.loads(file.read_text())
            remove_derived(graph)
            file.write_text(json.dumps(graph))


def remove_derived(graph):
    """Removes the declarations that only the compiler wrote, which have no place in a file."""
    removed = {symbol["identifier"]["precise"] for symbol in graph["symbols"]
               if "location" not in symbol}
    graph["symbols"] = [symbol for symbol in graph["symbols"] if "location" in symbol]
    graph["relationships"] = [each for each in graph["relationships"]
                              if not removed & {each["source"], each["target"]}]


def count(graphs):
    """The number of declarations in the graphs of a module."""
    return sum(symbol["kind"]["identifier"] != EXTENSION
               for file in graphs.glob("*.symbols.json")
               for symbol in json.loads(file.read_text())["symbols"])
